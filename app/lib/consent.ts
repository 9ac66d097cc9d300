/** The operator's documents that customers accept. */
import type { LegalDocument } from "./paths";

export const acceptedDocuments = ["terms", "privacy"] as const satisfies readonly LegalDocument[];
export type AcceptedDocument = (typeof acceptedDocuments)[number];

export type DocumentVersion = { document: AcceptedDocument; version: string };

/** `name` is the document's name in a sentence. */
export type NamedVersion = DocumentVersion & { name: string };
export type AcceptedVersion = DocumentVersion & { accepted_at: string };

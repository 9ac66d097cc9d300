/** The operator's documents that customers accept, and what of them is left to accept. */
import { type LegalDocument, paths } from "./paths";

export const acceptedDocuments = ["terms", "privacy"] as const satisfies readonly LegalDocument[];
export type AcceptedDocument = (typeof acceptedDocuments)[number];

/** The names of the documents in a sentence. */
export const documentNames: Record<AcceptedDocument, string> = { terms: "terms", privacy: "privacy notice" };

export type DocumentVersion = { document: AcceptedDocument; version: string };
export type AcceptedVersion = DocumentVersion & { accepted_at: string };

/** The current versions that the customer has not accepted. */
export function toOpenVersions(
  current: readonly DocumentVersion[],
  accepted: readonly DocumentVersion[],
): DocumentVersion[] {
  return current.filter(
    ({ document, version }) => !accepted.some((past) => past.document === document && past.version === version),
  );
}

/** Where customers see what they have accepted, and accept what is new. */
export const consentsPath = `${paths.doger}#documents`;

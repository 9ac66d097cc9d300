import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { getConfig } from "../config/config.server";
import { acceptedDocuments, type DocumentVersion } from "../lib/consent";
import type { NumberStyle } from "../lib/number-style";
import type { LegalDocument } from "../lib/paths";
import type { Document } from "../lib/prose";
import { parseMarkdown } from "./markdown.server";
import { toValues } from "./values.server";

const templates = import.meta.glob<string>("./legal/*.md", { query: "?raw", import: "default", eager: true });

/** Reads the operator's files once: a change needs a restart. */
const ownTexts = new Map<string, string | null>();

/** `isTemplate`: the operator has not provided their own document. */
type VersionedDocument = Document & { isTemplate: boolean; version: string };

/** Returns null if there is no such document. */
export function getLegalDocument(name: string, style: NumberStyle): VersionedDocument | null {
  const template = templates[`./legal/${name}.md`];
  if (template === undefined) return null;
  const own = readOwn(name as LegalDocument);
  const source = own ?? template;
  const { keywords: _, ...document } = parseMarkdown(source, toValues(style));
  return { ...document, isTemplate: own === null, version: toVersion(source) };
}

/** The current versions of the documents that customers accept. */
export function listCurrentVersions(): DocumentVersion[] {
  return acceptedDocuments.map((document) => ({
    document,
    version: toVersion(readOwn(document) ?? templates[`./legal/${document}.md`] ?? ""),
  }));
}

/**
 * The version that the operator states as `[version]: # "2026-03"`. Without it, a hash: any change is a new version.
 */
function toVersion(source: string): string {
  const named = /^\[version\]: # "([\x21-\x7e]{1,64})"\s*$/m.exec(source)?.[1];
  return named ?? createHash("sha256").update(source.replaceAll("\r\n", "\n")).digest("hex").slice(0, 8);
}

function readOwn(name: LegalDocument): string | null {
  const { legalDir } = getConfig();
  if (legalDir === null) return null;
  const path = join(legalDir, `${name}.md`);
  const known = ownTexts.get(path);
  if (known !== undefined) return known;
  const own = existsSync(path) ? readFileSync(path, "utf8") : null;
  ownTexts.set(path, own);
  return own;
}

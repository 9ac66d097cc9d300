import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Logger } from "pino";
import { getConfig } from "../config/config.server";
import { acceptedDocuments, type DocumentVersion } from "../lib/consent";
import type { NumberStyle } from "../lib/number-style";
import type { LegalDocument } from "../lib/paths";
import type { Document } from "../lib/prose";
import { StartupError } from "../lib/startup-error";
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
 * Reads the operator's documents. In live mode, logs those that are still templates.
 * @throws StartupError if they cannot be read
 */
export function checkLegalDocuments(log: Logger): void {
  const { legalDir, mode } = getConfig();
  const names = Object.keys(templates).map((path) => basename(path, ".md") as LegalDocument);
  let missing: LegalDocument[];
  try {
    if (legalDir !== null) readdirSync(legalDir);
    missing = names.filter((name) => readOwn(name) === null);
  } catch (cause) {
    const { code, path } = cause as NodeJS.ErrnoException;
    throw new StartupError(`${path} cannot be read (${code}): set LEGAL_DIR to a directory with your documents.`, {
      cause,
    });
  }
  if (mode === "live" && missing.length > 0) {
    log.warn({ documents: missing }, "these legal documents are templates: put your own in LEGAL_DIR");
  }
}

/**
 * The version that the operator states as `[version]: # "2026-03"`. Without such a line, the version is a hash, so any
 * change makes a new version.
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

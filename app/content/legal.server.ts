import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { getConfig } from "../config/config.server";
import type { NumberStyle } from "../lib/number-style";
import type { LegalDocument } from "../lib/paths";
import type { Document } from "../lib/prose";
import { parseMarkdown } from "./markdown.server";
import { toValues } from "./values.server";

const templates = import.meta.glob<string>("./legal/*.md", { query: "?raw", import: "default", eager: true });

/** Reads the operator's files once: a change needs a restart. */
const ownTexts = new Map<string, string | null>();

/** Null if there is no such document. `isTemplate`: the operator has not written their own. */
export function getLegalDocument(name: string, style: NumberStyle): (Document & { isTemplate: boolean }) | null {
  const template = templates[`./legal/${name}.md`];
  if (template === undefined) return null;
  const own = readOwn(name as LegalDocument);
  const { keywords: _, ...document } = parseMarkdown(own ?? template, toValues(style));
  return { ...document, isTemplate: own === null };
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

import { z } from "zod";
import type { AcceptedDocument, DocumentVersion, NamedVersion } from "../lib/consent";
import { listCurrentVersions } from "./legal.server";

/** The versions that a form showed, in hidden fields. A form without these fields did not ask for consent. */
const shownVersion = z
  .string()
  .regex(/^[\x21-\x7e]{1,64}$/)
  .optional()
  .catch(undefined);
export const consentFields = { terms: shownVersion, privacy: shownVersion };

export const outdatedText = "The terms or the privacy notice changed while this page was open.";

const names: Record<AcceptedDocument, string> = { terms: "terms", privacy: "privacy notice" };

/** The current versions that the customer has not accepted. */
export function listOpenVersions(accepted: readonly DocumentVersion[]): NamedVersion[] {
  return listCurrentVersions()
    .filter(({ document, version }) => !accepted.some((past) => past.document === document && past.version === version))
    .map((current) => ({ ...current, name: names[current.document] }));
}

type Recorder = { recordConsents(request: { accepted: DocumentVersion[] }): Promise<unknown> };

/**
 * Records that the customer accepts the versions that the form showed. Records nothing if one of them is no longer
 * current, because the customer has not seen the version that applies now.
 */
export async function recordShownVersions(
  api: Recorder,
  shown: Partial<Record<AcceptedDocument, string | undefined>>,
): Promise<"recorded" | "outdated"> {
  const current = listCurrentVersions().filter(({ document }) => shown[document] !== undefined);
  if (current.some(({ document, version }) => shown[document] !== version)) return "outdated";
  if (current.length > 0) await api.recordConsents({ accepted: current });
  return "recorded";
}

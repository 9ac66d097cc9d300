import { toRefused } from "~/lib/form-result";
import type { ShownResult } from "./result-note";

/** T32, T73: the action was refused until the customer confirms with their passkey again. */
export function needsFreshPasskey(result: ShownResult | null | undefined): boolean {
  return toRefused(result)?.code === "passkey_too_old";
}

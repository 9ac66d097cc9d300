import { toOneLine } from "../../lib/one-line";
import { OperatorError } from "./operator-error";

/** The reason that an operator gives for switching something off or for a hold, as one line. @throws OperatorError */
export function toReason(text: string): string {
  const reason = toOneLine(text);
  if (reason.length >= 1 && reason.length <= 500) return reason;
  throw new OperatorError("REASON must have 1 to 500 characters.");
}

import { toRefused } from "~/lib/form-result";
import { ConfirmNote } from "./confirm-note";
import { ResultNote, type ShownResult } from "./result-note";

type Props = { email: string; action: string; result: ShownResult | null | undefined };

/** The result of the last action. If it needs a fresh passkey, the customer is asked to confirm (T32, T73). */
export function ActionNote({ email, action, result }: Props) {
  const mustConfirm = toRefused(result)?.code === "passkey_too_old";
  return (
    <>
      {/* Stays mounted, because screen readers do not announce what a new live region contains. */}
      <ResultNote result={mustConfirm ? undefined : result} />
      {mustConfirm ? <ConfirmNote email={email} action={action} request={result} /> : null}
    </>
  );
}

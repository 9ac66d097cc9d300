import { RefusalNote } from "~/components/results/refusal-note";
import { type FormResult, toRefused } from "~/lib/form-result";
import type { CeremonyOptions } from "~/sign-in/sign-in-result";
import { LiveRegion } from "~/ui/live-region";
import { Note } from "~/ui/note";

/** The result of an action. Options, which are for the passkey's dialog, are not shown. */
export type ShownResult = FormResult | CeremonyOptions;

/** Why the last action in the card was refused, or what was done. */
export function ResultNote({ result }: { result: ShownResult | null | undefined }) {
  return (
    <>
      <RefusalNote result={toRefused(result)} />
      <LiveRegion visible>{result?.kind === "done" ? <Note tone="good">{result.text}</Note> : null}</LiveRegion>
    </>
  );
}

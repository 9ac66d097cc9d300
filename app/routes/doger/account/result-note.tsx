import { SignInNote } from "~/components/sign-in/sign-in-note";
import type { SignInResult } from "~/sign-in/sign-in-result";
import { LiveRegion } from "~/ui/live-region";
import { Note } from "~/ui/note";

export type ActionResult = SignInResult & {
  /** What was done. */
  done?: string;
};

/** The outcome of the last action in the card: an error or a confirmation. */
export function ResultNote({ result }: { result: ActionResult | null | undefined }) {
  return (
    <>
      <SignInNote result={result} />
      <LiveRegion visible>{result?.done && !result.error ? <Note tone="good">{result.done}</Note> : null}</LiveRegion>
    </>
  );
}

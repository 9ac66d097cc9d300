import type { SignInResult } from "~/sign-in/sign-in-result";
import { Note } from "~/ui/note";

export type ActionResult = SignInResult & { done?: string };

/** The outcome of the last action in the card: an error or a confirmation. */
export function ResultNote({ result }: { result: ActionResult | null | undefined }) {
  if (result?.error) {
    return (
      <Note tone="danger" title={result.error} live>
        {result.hint ? <p>{result.hint}</p> : null}
      </Note>
    );
  }
  return result?.done ? (
    <Note tone="good" live>
      {result.done}
    </Note>
  ) : null;
}

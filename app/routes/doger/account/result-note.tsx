import { SignInNote } from "~/components/sign-in/sign-in-note";
import type { SignInResult } from "~/sign-in/sign-in-result";
import { Note } from "~/ui/note";

export type ActionResult = SignInResult & { done?: string };

/** The outcome of the last action in the card: an error or a confirmation. */
export function ResultNote({ result }: { result: ActionResult | null | undefined }) {
  if (result?.error) return <SignInNote result={result} />;
  return result?.done ? (
    <Note tone="good" live>
      {result.done}
    </Note>
  ) : null;
}

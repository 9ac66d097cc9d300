import type { SignInResult } from "~/session/sign-in-result";
import { Note } from "~/ui/note";

export type TallyAnswer = SignInResult & { done?: string };

/** What became of the last press: done, or what the exchange said. */
export function TallyNote({ answer }: { answer: TallyAnswer | null | undefined }) {
  if (answer?.error) {
    return (
      <Note tone="danger" title={answer.error} live>
        {answer.hint ? <p>{answer.hint}</p> : null}
      </Note>
    );
  }
  return answer?.done ? (
    <Note tone="good" live>
      {answer.done}
    </Note>
  ) : null;
}

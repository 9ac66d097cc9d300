import type { SignInResult } from "~/sign-in/sign-in-result";
import { Note } from "~/ui/note";

/** An error from the catalogue and what to do about it, announced to screen readers. */
export function SignInNote({ result }: { result: SignInResult | null | undefined }) {
  if (!result?.error) return null;
  return (
    <Note tone="danger" title={result.error} live>
      {result.hint ? <p>{result.hint}</p> : null}
    </Note>
  );
}

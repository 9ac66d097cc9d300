import type { SignInResult } from "~/session/sign-in-result";
import { Note } from "~/ui/note";

/** The text of the catalogue, and under it what to do. Spoken at once. */
export function SignInNote({ result }: { result: SignInResult | null | undefined }) {
  if (!result?.error) return null;
  return (
    <Note tone="danger" title={result.error} live>
      {result.hint ? <p>{result.hint}</p> : null}
    </Note>
  );
}

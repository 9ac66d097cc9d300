import { errorTexts } from "~/lib/error-catalogue";
import { Note } from "~/ui/note";
import type { Standing } from "./route";

type Props = { standing: Standing; email: string | null; userError: string | null };

/** What a visitor who holds a token should know before anything else. */
export function AccountNotes({ standing, email, userError }: Props) {
  if (userError) {
    return (
      <Note tone="danger" title={userError}>
        <p>Your account could not be read just now. Try again in a moment.</p>
      </Note>
    );
  }
  if (standing === "inactive") {
    return (
      <Note tone="danger" title="This account is not active">
        <p>
          {email} is signed in, and the account is inactive: no new swaps can be made with it. Swaps under way go on.
          Write to support if you think this is wrong, or sign in with another account.
        </p>
      </Note>
    );
  }
  if (standing === "blocked") {
    return (
      <Note tone="danger" title={errorTexts.userUnauthorized}>
        <p>This account may not be used at the moment. Write to support, or sign in with another account.</p>
      </Note>
    );
  }
  return null;
}

import { ContactSupport } from "~/components/shell/contact-support";
import * as errorTexts from "~/lib/error-catalogue";
import { Note } from "~/ui/note";

/** What a visitor's account allows on /login. */
export type AccountStatus = "signed-out" | "needs-passkey" | "inactive" | "blocked";

type Props = {
  accountStatus: AccountStatus;
  email: string | null;
  userError: string | null;
  /** What to do about the error. */
  userHint: string | null;
  /** The visitor has signed out, but the exchange did not end the session. */
  isLeftOpen?: boolean;
};

/** Explains to a signed-in visitor why their account can't be used, and to others what became of their session. */
export function AccountNotes({ accountStatus, email, userError, userHint, isLeftOpen }: Props) {
  if (isLeftOpen) {
    return (
      <Note tone="danger" title="You are signed out in this browser only" live>
        <p>
          We couldn't end your session, so it may stay open for several hours. If someone else could have a copy of it,
          sign in again and choose “Sign out all other devices” in your account.
        </p>
      </Note>
    );
  }
  if (userError) {
    return (
      <Note tone="danger" title={userError} live>
        <p>{userHint}</p>
      </Note>
    );
  }
  if (accountStatus === "inactive") {
    return (
      <Note tone="danger" title="This account is not active">
        <p>
          You are signed in as {email}, but this account is inactive and can't start new swaps. If you have already paid
          for a swap, we complete it or refund it. You can sign in with another account.{" "}
          <ContactSupport> if you think this is a mistake.</ContactSupport>
        </p>
      </Note>
    );
  }
  if (accountStatus === "blocked") {
    return (
      <Note tone="danger" title={errorTexts.userUnauthorized}>
        <p>
          This account can't be used at the moment. If you have already paid for a swap, we complete it or refund it.{" "}
          <ContactSupport />
        </p>
      </Note>
    );
  }
  return null;
}

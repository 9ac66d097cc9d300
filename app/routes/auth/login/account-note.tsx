import { ContactSupport } from "~/components/shell/contact-support";
import * as errorTexts from "~/lib/error-catalogue";
import { Note } from "~/ui/note";

/** Why signing in fails, why the visitor's account can't be used, or that a session has not ended. */
export type AccountNotice =
  /** The visitor has signed out, but the exchange did not end the session. */
  | { kind: "left-open" }
  /** An error, and what to do about it. */
  | { kind: "failed"; title: string; hint: string }
  | { kind: "inactive"; email: string }
  | { kind: "blocked" };

/** Explains the notice to the visitor. */
export function AccountNote({ notice }: { notice: AccountNotice | null }) {
  switch (notice?.kind) {
    case "left-open":
      return (
        <Note tone="danger" title="You are signed out in this browser only" live>
          <p>
            We couldn't end your session, so it may stay open for several hours. If someone else could have a copy of
            it, sign in again and choose “Sign out all other devices” in your account.
          </p>
        </Note>
      );
    case "failed":
      return (
        <Note tone="danger" title={notice.title} live>
          <p>{notice.hint}</p>
        </Note>
      );
    case "inactive":
      return (
        <Note tone="danger" title="This account is not active">
          <p>
            You are signed in as {notice.email}, but this account is inactive and can't start new swaps. If you have
            already paid for a swap, we complete it or refund it. You can sign in with another account.{" "}
            <ContactSupport> if you think this is a mistake.</ContactSupport>
          </p>
        </Note>
      );
    case "blocked":
      return (
        <Note tone="danger" title={errorTexts.userUnauthorized}>
          <p>
            This account can't be used at the moment. If you have already paid for a swap, we complete it or refund it.{" "}
            <ContactSupport />
          </p>
        </Note>
      );
    case undefined:
      return null;
  }
}

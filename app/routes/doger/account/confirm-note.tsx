import { useHydrated } from "remix-utils/use-hydrated";
import { passkeyPendingMessages } from "~/components/sign-in/passkey-messages";
import type { usePasskey } from "~/components/sign-in/use-passkey";
import { Button } from "~/ui/button";
import { Note } from "~/ui/note";

type Props = { email: string; confirming: ReturnType<typeof usePasskey> };

/** Asks for the passkey again before a change that needs a fresh one (T32). */
export function ConfirmNote({ email, confirming }: Props) {
  const hydrated = useHydrated();
  return (
    <Note
      tone="waiting"
      title="Confirm with your passkey"
      live
      action={
        hydrated ? (
          <Button
            type="button"
            pending={passkeyPendingMessages[confirming.step]}
            onClick={() => confirming.start(email)}
          >
            Confirm
          </Button>
        ) : undefined
      }
    >
      <p>
        {hydrated
          ? "It has been a while since you signed in. Confirm with your passkey, then try again."
          : "It has been a while since you signed in. Sign out and sign in again, then try again."}
      </p>
    </Note>
  );
}

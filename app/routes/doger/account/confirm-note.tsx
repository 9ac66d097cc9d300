import { useHydrated } from "remix-utils/use-hydrated";
import { passkeyPendingMessages } from "~/components/sign-in/passkey-messages";
import { useLatest } from "~/components/sign-in/use-latest";
import { usePasskey } from "~/components/sign-in/use-passkey";
import { Button } from "~/ui/button";
import { FocusKeeper } from "~/ui/focus-keeper";
import { Stack } from "~/ui/layout";
import { Note } from "~/ui/note";
import { ResultNote } from "./result-note";

type Props = {
  email: string;
  action: string;
  /** What was refused until the customer confirms. If it is refused again, they have to confirm again. */
  request: unknown;
};

/** Asks for the passkey again before a change that needs a fresh one (T32), until it is confirmed. */
export function ConfirmNote({ email, action, request }: Props) {
  const hydrated = useHydrated();
  const confirming = usePasskey("passkey", action);
  const result = useLatest<unknown>(confirming.result, request) === request ? null : confirming.result;
  return (
    <FocusKeeper label="Confirmation">
      <Stack gap={4}>
        <ResultNote result={result} />
        {result?.kind === "done" ? null : (
          // Interrupts, because the customer has to do this before what they asked for.
          <div role="alert">
            <Note
              tone="waiting"
              title="Confirm with your passkey"
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
                  : "It has been a while since you signed in. To confirm with your passkey, turn on JavaScript and reload this page. Don't sign out: signing in with a passkey needs JavaScript, too."}
              </p>
            </Note>
          </div>
        )}
      </Stack>
    </FocusKeeper>
  );
}

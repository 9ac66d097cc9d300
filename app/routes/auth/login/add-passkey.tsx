import { useRef } from "react";
import { RefusalNote } from "~/components/results/refusal-note";
import { passkeyPendingMessages } from "~/components/sign-in/passkey-messages";
import { TestPasskeyButton } from "~/components/sign-in/test-passkey-button";
import { useLatest } from "~/components/sign-in/use-latest";
import { usePasskey } from "~/components/sign-in/use-passkey";
import { formatDuration } from "~/lib/durations";
import { toRefused } from "~/lib/form-result";
import { useSiteTerms } from "~/loaded-data/root-data";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { EmailAtEnd } from "~/ui/email-at-end";
import { Stack } from "~/ui/layout";
import { NeedsScripts } from "~/ui/needs-scripts";
import { Note } from "~/ui/note";

/** For visitors who signed in with an e-mail code only. Swaps, verification and the account need a passkey. */
export function AddPasskey({ action, email }: { action: string; email: string }) {
  const { recoveryHoldMs } = useSiteTerms();
  const registration = usePasskey("registration", action);
  const signIn = usePasskey("passkey", action);
  const result = toRefused(useLatest(registration.result, signIn.result));
  // Adding a test passkey fails if the account already has one in this browser. Signing in then uses that one.
  const triedTest = useRef<boolean>();
  // A second ceremony would abort the first one.
  const register = (isTest: boolean) => {
    if (signIn.step !== "idle" || registration.step !== "idle") return;
    triedTest.current = isTest;
    registration.start(email, isTest);
  };
  return (
    <Stack gap={4}>
      <p>
        You are signed in as <EmailAtEnd email={email} /> You need a passkey to swap, to verify your identity and to see
        your activity.
      </p>
      <RefusalNote result={result} />
      <NeedsScripts>
        <Button
          type="button"
          kind="primary"
          size="large"
          full
          pending={passkeyPendingMessages[registration.step]}
          onClick={() => register(false)}
        >
          Add a passkey to this device
        </Button>
        <Button
          type="button"
          size="large"
          full
          pending={passkeyPendingMessages[signIn.step]}
          onClick={() => registration.step === "idle" && signIn.start(email, triedTest.current)}
        >
          I already have a passkey
        </Button>
        <TestPasskeyButton onClick={() => register(true)} />
      </NeedsScripts>
      <noscript>
        {/* Rendered only by the server, so that browsers do not load the text. */}
        {import.meta.env.SSR && (
          <Note title="Passkeys need JavaScript">
            <p>
              Turn on JavaScript for this site, then reload this page. If one of your swaps is waiting for your decision
              and you don't choose, we send the money to your refund address, less the network fee.
            </p>
          </Note>
        )}
      </noscript>
      <p className={`${text.small} ${text.muted}`}>
        If your account has a passkey, or had one when you applied for verification, adding another one here counts as
        account recovery: all your other devices are signed out, and swaps that you start in the next{" "}
        {formatDuration(recoveryHoldMs)} are paid out only when that time is over. Passkeys that were added with another
        passkey in the last 30 days can't sign in until then.
      </p>
    </Stack>
  );
}

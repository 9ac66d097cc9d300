import { type CredentialsSource, chooseCredentials } from "~/browser/credentials";
import { passkeyPendingWords } from "~/components/sign-in/passkey-words";
import { SignInNote } from "~/components/sign-in/sign-in-note";
import { usePasskey } from "~/components/sign-in/use-passkey";
import { loadTestCredentials, TestPasskeyButton } from "~/components/test-passkey/test-passkey-button";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { Stack } from "~/ui/layout";
import { NeedsScripts } from "~/ui/needs-scripts";
import { Note } from "~/ui/note";

/** An e-mail code alone signs in, and moves no money: swapping, verification and the tally need a passkey. */
export function AddPasskey({ action, email }: { action: string; email: string }) {
  const registration = usePasskey("registration", action);
  const signIn = usePasskey("passkey", action);
  const result = registration.result ?? signIn.result;
  const start = (ceremony: typeof registration, source: CredentialsSource | null) => {
    chooseCredentials(source);
    ceremony.start(email);
  };
  return (
    <Stack gap={4}>
      <p>
        You are signed in as <strong>{email}</strong>. Swapping, verification and your tally need a passkey.
      </p>
      <SignInNote result={result} />
      <NeedsScripts>
        <Button
          type="button"
          kind="primary"
          size="large"
          full
          pending={passkeyPendingWords[registration.step]}
          onClick={() => start(registration, null)}
        >
          Add a passkey to this device
        </Button>
        <Button type="button" full pending={passkeyPendingWords[signIn.step]} onClick={() => start(signIn, null)}>
          I have a passkey already
        </Button>
        <TestPasskeyButton onClick={() => start(registration, loadTestCredentials)} />
      </NeedsScripts>
      <noscript>
        <Note title="Passkeys need scripts">
          <p>Allow this site to run scripts to add one.</p>
        </Note>
      </noscript>
      <p className={text.muted}>
        Where the account had a passkey before, adding one now counts as a recovery: its other sessions end, and payouts
        of new swaps wait for 24 hours.
      </p>
    </Stack>
  );
}

import { Link } from "@remix-run/react";
import { type FormEvent, useRef, useState } from "react";
import { type CredentialsSource, chooseCredentials } from "~/browser/credentials";
import { passkeyPendingWords } from "~/components/sign-in/passkey-words";
import { SignInNote } from "~/components/sign-in/sign-in-note";
import { usePasskey } from "~/components/sign-in/use-passkey";
import { loadTestCredentials, TestPasskeyButton } from "~/components/test-passkey/test-passkey-button";
import { isEmailLike } from "~/lib/email";
import { paths } from "~/lib/paths";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { Stack } from "~/ui/layout";
import { NeedsScripts } from "~/ui/needs-scripts";
import { Note } from "~/ui/note";
import { TextField } from "~/ui/text-field";
import { useFirstError } from "~/ui/use-first-error";

/** V07: an address, then the device's own dialogue. Only scripts can make a passkey. */
export function RegistrationForm({ action, redirect }: { action: string; redirect: string | null }) {
  const field = useRef<HTMLInputElement>(null);
  const registration = usePasskey("registration", action);
  const [missing, setMissing] = useState(false);
  const form = useFirstError(registration.result);

  function start(source: CredentialsSource | null) {
    if (registration.step !== "idle") return;
    const identifier = field.current?.value.trim() ?? "";
    const usable = isEmailLike(identifier);
    setMissing(!usable);
    if (!usable) return field.current?.focus();
    chooseCredentials(source);
    registration.start(identifier);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    start(null);
  }

  return (
    <form method="post" action={action} onSubmit={submit} noValidate ref={form}>
      <Stack gap={4}>
        <SignInNote result={registration.result} />
        <TextField
          ref={field}
          label="E-mail address"
          name="identifier"
          type="email"
          inputMode="email"
          autoComplete="email"
          maxLength={254}
          required
          hint="For codes, receipts and the way back in. We ask you to prove it before your first swap."
          error={
            missing ? "Write your e-mail address, such as ada@example.org." : registration.result?.fields?.identifier
          }
        />
        <NeedsScripts>
          <Button kind="primary" size="large" full pending={passkeyPendingWords[registration.step]}>
            Create a passkey
          </Button>
          <TestPasskeyButton onClick={() => start(loadTestCredentials)} />
        </NeedsScripts>
        <noscript>
          <Note title="Passkeys need scripts">
            <p>
              Without them, <Link to={paths.login({ redirect })}>sign in with a code by e-mail</Link>: it opens an
              account too.
            </p>
          </Note>
        </noscript>
        <p>
          Been here before?{" "}
          <Link to={paths.login({ redirect })} prefetch="intent">
            Sign in
          </Link>
        </p>
        <p className={text.muted}>
          The passkey stays with your device or its password manager; we keep only its public half.
        </p>
      </Stack>
    </form>
  );
}

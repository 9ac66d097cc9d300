import { Form, Link, useNavigation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { type CredentialsSource, chooseCredentials } from "~/browser/credentials";
import { clearStoredPasskey } from "~/browser/stored-passkey";
import { passkeyPendingWords } from "~/components/sign-in/passkey-words";
import { SignInNote } from "~/components/sign-in/sign-in-note";
import { usePasskey } from "~/components/sign-in/use-passkey";
import { usePasskeyAutofill } from "~/components/sign-in/use-passkey-autofill";
import { useRememberedIdentifier } from "~/components/sign-in/use-remembered-identifier";
import { loadTestCredentials, TestPasskeyButton } from "~/components/test-passkey/test-passkey-button";
import { isEmailLike } from "~/lib/email";
import { paths } from "~/lib/paths";
import type { SignInResult } from "~/session/sign-in-result";
import { Button } from "~/ui/button";
import { Stack } from "~/ui/layout";
import { NeedsScripts } from "~/ui/needs-scripts";
import { TextField } from "~/ui/text-field";
import { useFirstError } from "~/ui/use-first-error";

type Props = { action: string; redirect: string | null; result: SignInResult | undefined };

/** One address, two ways in. Without scripts the code is the way. */
export function SignInForm({ action, redirect, result }: Props) {
  const navigation = useNavigation();
  const field = useRef<HTMLInputElement>(null);
  const passkey = usePasskey("passkey", action);
  const autofill = usePasskeyAutofill(action);
  const [missing, setMissing] = useState(false);
  useRememberedIdentifier(field);

  const shown = passkey.result ?? autofill ?? result;
  const form = useFirstError(shown);
  useEffect(() => {
    if (shown?.clearStoredPasskey) clearStoredPasskey();
  }, [shown]);

  function startPasskey(source: CredentialsSource | null) {
    const identifier = field.current?.value.trim() ?? "";
    const usable = isEmailLike(identifier);
    setMissing(!usable);
    if (!usable) return field.current?.focus();
    chooseCredentials(source);
    passkey.start(identifier);
  }

  const sending = navigation.formData?.get("intent") === "send-code";
  return (
    <Form method="post" action={action} ref={form}>
      <Stack gap={4}>
        <SignInNote result={shown} />
        <TextField
          ref={field}
          label="E-mail address"
          name="identifier"
          type="email"
          inputMode="email"
          // `webauthn` comes last: with it a browser offers passkeys among the suggestions.
          autoComplete="username webauthn"
          maxLength={254}
          required
          defaultValue={result?.identifier}
          error={
            missing
              ? "Write your e-mail address, such as ada@example.org."
              : (shown?.fields?.identifier ?? result?.fields?.identifier)
          }
        />
        <NeedsScripts>
          <Button
            type="button"
            kind="primary"
            size="large"
            full
            pending={passkeyPendingWords[passkey.step]}
            onClick={() => startPasskey(null)}
          >
            Sign in with a passkey
          </Button>
        </NeedsScripts>
        <Button size="large" full name="intent" value="send-code" pending={sending && "Sending the code…"}>
          E-mail me a code
        </Button>
        <NeedsScripts>
          <TestPasskeyButton onClick={() => startPasskey(loadTestCredentials)} />
        </NeedsScripts>
        <p>
          New here?{" "}
          <Link to={paths.registerTo({ redirect })} prefetch="intent">
            Create an account with a passkey
          </Link>
        </p>
      </Stack>
    </Form>
  );
}

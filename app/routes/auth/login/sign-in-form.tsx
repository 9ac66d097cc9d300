import { Form, Link } from "@remix-run/react";
import { useRef, useState } from "react";
import { readStoredPasskey } from "~/browser/stored-passkey";
import { RefusalNote } from "~/components/results/refusal-note";
import { passkeyPendingMessages } from "~/components/sign-in/passkey-messages";
import { TestPasskeyButton } from "~/components/sign-in/test-passkey-button";
import { useLatest } from "~/components/sign-in/use-latest";
import { usePasskey } from "~/components/sign-in/use-passkey";
import { useRememberedIdentifier } from "~/components/sign-in/use-remembered-identifier";
import { invalidEmailMessage, isEmailLike } from "~/lib/email";
import { type Refused, toRefused } from "~/lib/form-result";
import { paths } from "~/lib/paths";
import { useIsSending } from "~/loaded-data/use-is-sending";
import { Button, ButtonLink } from "~/ui/button";
import { Stack } from "~/ui/layout";
import { NeedsScripts } from "~/ui/needs-scripts";
import { TextField } from "~/ui/text-field";
import { useErrorFocus } from "~/ui/use-error-focus";
import { usePasskeyAutofill } from "./use-passkey-autofill";

type Props = { action: string; redirect: string | null; result: Refused | undefined };

/** One address and two ways to sign in: a passkey, or a code by e-mail, which also works without JavaScript. */
export function SignInForm({ action, redirect, result }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const passkey = usePasskey("passkey", action);
  const isSending = useIsSending();
  const sending = isSending({ intent: "send-code" });
  const autofill = usePasskeyAutofill(action, sending || passkey.step !== "idle");
  const [invalidEmail, setInvalidEmail] = useState(false);
  /** For /register. The field keeps its own text. */
  const [typed, setTyped] = useState("");
  useRememberedIdentifier(field, readStoredPasskey);

  const latest = toRefused(useLatest(passkey.result, autofill.result, result));
  const form = useErrorFocus(latest);

  function startPasskey(isTest: boolean) {
    if (autofill.verifying) return;
    const identifier = field.current?.value.trim() ?? "";
    const valid = isEmailLike(identifier);
    setInvalidEmail(!valid);
    if (!valid) return field.current?.focus();
    passkey.start(identifier, isTest);
  }

  return (
    <Form method="post" action={action} ref={form}>
      <Stack gap={4}>
        <RefusalNote result={latest} />
        {latest?.code === "passkeys_none" ? (
          <ButtonLink to={paths.register({ redirect })} state={latest.values?.identifier} full>
            Create an account with this address
          </ButtonLink>
        ) : null}
        <TextField
          ref={field}
          label="E-mail address"
          name="identifier"
          type="email"
          inputMode="email"
          // `webauthn`, which must come last, makes browsers suggest passkeys.
          autoComplete="username webauthn"
          maxLength={254}
          required
          defaultValue={result?.values?.identifier}
          onInput={(event) => {
            setInvalidEmail(false);
            setTyped(event.currentTarget.value);
          }}
          error={invalidEmail ? invalidEmailMessage : (latest?.fields?.identifier ?? result?.fields?.identifier)}
        />
        <NeedsScripts>
          <Button
            type="button"
            kind="primary"
            size="large"
            full
            pending={passkeyPendingMessages[autofill.verifying ? "verifying" : passkey.step]}
            onClick={() => startPasskey(false)}
          >
            Sign in with a passkey
          </Button>
        </NeedsScripts>
        <Button size="large" full name="intent" value="send-code" pending={sending && "Sending the code…"}>
          E-mail me a code
        </Button>
        <NeedsScripts>
          <TestPasskeyButton onClick={() => startPasskey(true)} />
        </NeedsScripts>
        <noscript>
          {/* Rendered only by the server, so that browsers do not load the text. */}
          {import.meta.env.SSR && (
            <p>Swaps and your account need a passkey, and signing in with a passkey needs JavaScript.</p>
          )}
        </noscript>
        <p>
          New here?{" "}
          <Link to={paths.register({ redirect })} state={typed} prefetch="intent">
            Create an account with a passkey
          </Link>
        </p>
        <a href={paths.answer("sign-in")}>Can't sign in?</a>
      </Stack>
    </Form>
  );
}

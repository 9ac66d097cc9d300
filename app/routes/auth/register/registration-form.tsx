import { Link } from "@remix-run/react";
import { type FormEvent, useRef, useState } from "react";
import { RefusalNote } from "~/components/results/refusal-note";
import { passkeyPendingMessages } from "~/components/sign-in/passkey-messages";
import { TestPasskeyButton } from "~/components/sign-in/test-passkey-button";
import { usePasskey } from "~/components/sign-in/use-passkey";
import { useRememberedIdentifier } from "~/components/sign-in/use-remembered-identifier";
import { invalidEmailMessage, isEmailLike } from "~/lib/email";
import { toRefused } from "~/lib/form-result";
import { paths } from "~/lib/paths";
import { text } from "~/styles/text.css";
import { Button, ButtonLink } from "~/ui/button";
import { Stack } from "~/ui/layout";
import { NeedsScripts } from "~/ui/needs-scripts";
import { needsScripts } from "~/ui/needs-scripts.css";
import { Note } from "~/ui/note";
import { TextField } from "~/ui/text-field";
import { useErrorFocus } from "~/ui/use-error-focus";

/** V07: asks for an e-mail address, then opens the browser's passkey dialog. Creating a passkey needs JavaScript. */
export function RegistrationForm({ action, redirect }: { action: string; redirect: string | null }) {
  const field = useRef<HTMLInputElement>(null);
  const registration = usePasskey("registration", action);
  const [invalidEmail, setInvalidEmail] = useState(false);
  const [isEdited, setEdited] = useState(false);
  useRememberedIdentifier(field);
  // Hidden while another address is typed.
  const result = isEdited ? undefined : toRefused(registration.result);
  const form = useErrorFocus(result);

  function start(isTest: boolean) {
    const identifier = field.current?.value.trim() ?? "";
    const valid = isEmailLike(identifier);
    setInvalidEmail(!valid);
    if (!valid) return field.current?.focus();
    setEdited(false);
    registration.start(identifier, isTest);
  }

  function edit() {
    setInvalidEmail(false);
    setEdited(true);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    start(false);
  }

  return (
    <form method="post" action={action} onSubmit={submit} noValidate ref={form}>
      <Stack gap={4}>
        <RefusalNote result={result} />
        {result?.code === "token_missing" ? (
          <ButtonLink to={paths.login({ redirect })} state={result.values?.identifier} full>
            Sign in with this address
          </ButtonLink>
        ) : null}
        {/* Not NeedsScripts: an address can be typed before the page is hydrated. */}
        <div className={needsScripts}>
          <TextField
            ref={field}
            label="E-mail address"
            name="identifier"
            type="email"
            inputMode="email"
            autoComplete="email"
            maxLength={254}
            required
            onInput={edit}
            hint="For sign-in codes, account recovery and updates about your swaps. You confirm it before your first swap."
            error={invalidEmail ? invalidEmailMessage : result?.fields?.identifier}
          />
        </div>
        <NeedsScripts>
          <Button kind="primary" size="large" full pending={passkeyPendingMessages[registration.step]}>
            Create a passkey
          </Button>
          <TestPasskeyButton onClick={() => start(true)} />
        </NeedsScripts>
        <noscript>
          {/* Rendered only by the server, so that browsers do not load the text. */}
          {import.meta.env.SSR && (
            <Note title="You need JavaScript to create an account">
              <p>
                Swaps need a passkey, and passkeys need JavaScript. Without it, you can use{" "}
                <a href={paths.vegas}>Rates</a>, <a href={paths.fees}>Fees</a>, <a href={paths.help}>Help</a> and links
                to follow a swap.
              </p>
            </Note>
          )}
        </noscript>
        <p>
          Already have an account?{" "}
          <Link to={paths.login({ redirect })} prefetch="intent">
            Sign in
          </Link>
        </p>
        <p className={text.muted}>
          Your passkey stays on your device or in your password manager. We store only its public key.
        </p>
      </Stack>
    </form>
  );
}

import { Form, useNavigation } from "@remix-run/react";
import { SignInNote } from "~/components/sign-in/sign-in-note";
import type { SignInResult } from "~/session/sign-in-result";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { Stack } from "~/ui/layout";

type Props = { action: string; email: string; result: SignInResult | undefined };

/** The account was made by a passkey alone; the mailbox behind its address comes first. */
export function ProveEmail({ action, email, result }: Props) {
  const sending = useNavigation().formData?.get("intent") === "send-code";
  return (
    <Form method="post" action={action}>
      <Stack gap={4}>
        <h2 className={text.heading}>First, prove your e-mail address</h2>
        <SignInNote result={result} />
        <p>
          We send six digits to <strong>{email}</strong>. It is your way back in should you lose your passkey, so it has
          to be yours.
        </p>
        <Button
          kind="primary"
          size="large"
          full
          name="intent"
          value="send-code"
          pending={sending && "Sending the code…"}
        >
          E-mail me a code
        </Button>
      </Stack>
    </Form>
  );
}

import { Form, Link } from "@remix-run/react";
import { RefusalNote } from "~/components/results/refusal-note";
import type { Refused } from "~/lib/form-result";
import { paths } from "~/lib/paths";
import { useIsSending } from "~/loaded-data/use-is-sending";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { EmailAtEnd } from "~/ui/email-at-end";
import { Stack } from "~/ui/layout";

type Props = { action: string; email: string; result: Refused | undefined };

/** For accounts created with a passkey: the e-mail address must be confirmed before the application. */
export function ConfirmEmail({ action, email, result }: Props) {
  const isSending = useIsSending();
  return (
    <Form method="post" action={action}>
      <Stack gap={4}>
        <RefusalNote result={result} />
        <p>
          We'll send a six-digit code to <EmailAtEnd email={email} /> If you lose your passkey, this address is how you
          get back into your account, so make sure it's yours.
        </p>
        <Button
          kind="primary"
          size="large"
          full
          name="intent"
          value="send-code"
          pending={isSending({ intent: "send-code" }) && "Sending the code…"}
        >
          E-mail me a code
        </Button>
      </Stack>
    </Form>
  );
}

/** For customers who mistyped their address when they created the account. */
export function WrongAddress() {
  return (
    <p className={text.muted}>
      Is this address wrong? It can't be changed. <Link to={paths.deleteAccount}>Delete this account</Link> and create a
      new one.
    </p>
  );
}

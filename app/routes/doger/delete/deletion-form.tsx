import { Form } from "@remix-run/react";
import { useId, useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import { requestTimeoutMs } from "~/lib/constants";
import { toRefused } from "~/lib/form-result";
import { paths } from "~/lib/paths";
import { useIsSending } from "~/loaded-data/use-is-sending";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { Row, Stack } from "~/ui/layout";
import { TextField } from "~/ui/text-field";
import { useErrorFocus } from "~/ui/use-error-focus";
import { ActionNote } from "../account/action-note";
import type { ShownResult } from "../account/result-note";

type Props = {
  email: string;
  /** Whether the e-mail address is verified, so that a code sent to it can confirm the deletion. */
  canUseCode: boolean;
  codeSent: boolean;
  result: ShownResult | undefined;
};

/** The customer types their address and, unless they just signed in, confirms with a passkey or a code (T73). */
export function DeletionForm({ email, canUseCode, codeSent, result }: Props) {
  const refused = toRefused(result);
  const values = result && "values" in result ? result.values : undefined;
  const form = useErrorFocus(refused);
  const formId = useId();
  const hydrated = useHydrated();
  const isSending = useIsSending();
  // The form is sent once: a second response would say that the customer is signed out, not that the account is
  // deleted.
  const [isDeleting, setIsDeleting] = useState(false);
  function send() {
    setIsDeleting(true);
    // Browsers don't report that the visitor has stopped the request. By then, the response would have arrived.
    setTimeout(setIsDeleting, requestTimeoutMs, false);
  }
  return (
    <Card roomy>
      <Stack gap={4}>
        <h2 className={text.heading}>Confirm</h2>
        <ActionNote email={email} action={paths.deleteAccount} result={result} />
        {/* A new document, so that nothing of the account stays in memory. */}
        <Form id={formId} method="post" action={paths.deleteAccount} ref={form} reloadDocument onSubmit={send}>
          <Stack gap={4}>
            <TextField
              label={`To confirm, type ${email}`}
              name="email"
              type="email"
              autoComplete="off"
              required
              defaultValue={values?.email}
              error={refused?.fields?.email}
            />
            {codeSent ? (
              <TextField
                label="Code from the e-mail"
                name="code"
                code
                inputMode="numeric"
                autoComplete="one-time-code"
                maxLength={12}
                defaultValue={values?.code}
                error={refused?.fields?.code}
              />
            ) : null}
            <Button
              kind="danger"
              size="large"
              full
              name="intent"
              value="delete"
              pending={isDeleting && "Deleting your account…"}
            >
              Delete my account permanently
            </Button>
          </Stack>
        </Form>
        {canUseCode ? (
          <Form method="post" action={paths.deleteAccount}>
            <Row>
              <Button
                kind="quiet"
                name="intent"
                value="send-code"
                // Without JavaScript, the new document must contain what was typed.
                form={hydrated ? undefined : formId}
                formNoValidate
                pending={isSending({ intent: "send-code" }) && "Sending…"}
              >
                {codeSent ? "Send a new code" : "Confirm with an e-mail code instead"}
              </Button>
            </Row>
          </Form>
        ) : null}
      </Stack>
    </Card>
  );
}

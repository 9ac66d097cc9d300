import { Form, Link } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { RefusalNote } from "~/components/results/refusal-note";
import { formatDuration } from "~/lib/durations";
import type { Refused } from "~/lib/form-result";
import { paths } from "~/lib/paths";
import { useHasSandbox, useSiteTerms } from "~/loaded-data/root-data";
import { useIsSending } from "~/loaded-data/use-is-sending";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { EmailAtEnd } from "~/ui/email-at-end";
import { Row, Stack } from "~/ui/layout";
import { LiveRegion } from "~/ui/live-region";
import { Note } from "~/ui/note";
import { TextField } from "~/ui/text-field";
import { useErrorFocus } from "~/ui/use-error-focus";
import * as styles from "./code-form.css";

type Props = {
  action: string;
  /** The address that the code was sent to. */
  email: string;
  /** How many times the code has been resent. */
  resent?: number | undefined;
  result: Refused | undefined;
  /** Whether the visitor can switch to another address. */
  canChangeAddress?: boolean;
};

/** The second step of an e-mail sign-in: enter the code, request a new one, or use another address. */
export function CodeForm({ action, email, resent, result, canChangeAddress }: Props) {
  const { codeTtlMs } = useSiteTerms();
  const hasSandbox = useHasSandbox();
  const isSending = useIsSending();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const form = useErrorFocus(result);
  const note = <RefusalNote result={result} />;
  const isRefused = result?.code === "code_wrong";

  return (
    <Stack gap={4}>
      {isRefused ? null : note}
      <LiveRegion visible>
        {resent && !result ? (
          <Note key={resent} tone="good">
            Enter the new code when it arrives. Earlier codes still work.
          </Note>
        ) : null}
      </LiveRegion>
      {hasSandbox ? (
        <p>
          This is a sandbox: the e-mail is in <Link to={`${paths.sandbox}#inbox`}>its inbox</Link>.
        </p>
      ) : null}
      <Form method="post" action={action} ref={form}>
        <Stack gap={4}>
          <TextField
            ref={field}
            label="Code from the e-mail"
            name="code"
            className={styles.digits}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={12}
            required
            defaultValue={result?.values?.code}
            hint={
              <>
                We sent a six-digit code to <EmailAtEnd email={email} /> It's valid for {formatDuration(codeTtlMs)}, in
                this browser only.
              </>
            }
            error={result?.fields?.code ?? (isRefused && note)}
          />
          <Button
            kind="primary"
            size="large"
            full
            name="intent"
            value="verify-code"
            pending={isSending({ intent: "verify-code" }) && "Checking the code…"}
          >
            Continue
          </Button>
        </Stack>
      </Form>
      <Row justify="center">
        <Form method="post" action={action}>
          <input type="hidden" name="identifier" value={email} />
          <Button
            kind="quiet"
            name="intent"
            value="send-code"
            pending={isSending({ intent: "send-code" }) && "Sending…"}
          >
            Send a new code
          </Button>
        </Form>
        {canChangeAddress ? (
          <Form method="post" action={action}>
            <Button
              kind="quiet"
              name="intent"
              value="other-address"
              pending={isSending({ intent: "other-address" }) && "Going back…"}
            >
              Use another address
            </Button>
          </Form>
        ) : null}
      </Row>
      <p className={text.muted}>
        <a href={paths.answer("sign-in")}>No e-mail?</a> Check your spam folder, then wait a few minutes before you ask
        again: we send only a few codes in a short time.
      </p>
    </Stack>
  );
}

import { Form, useNavigation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import type { SignInResult } from "~/session/sign-in-result";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { Row, Stack } from "~/ui/layout";
import { TextField } from "~/ui/text-field";
import { useFirstError } from "~/ui/use-first-error";
import { SignInNote } from "./sign-in-note";

type Props = {
  action: string;
  /** Where the code went. */
  email: string;
  result: SignInResult | null | undefined;
  /** What the button that gives up this address says; none where the address is fixed. */
  otherAddress?: string;
};

/** The second step of an e-mail sign-in: six digits, a new code, or another address. */
export function CodeForm({ action, email, result, otherAddress }: Props) {
  const navigation = useNavigation();
  const intent = navigation.formData?.get("intent");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const form = useFirstError(result);

  return (
    <Stack gap={4}>
      <SignInNote result={result} />
      <p>
        We sent six digits to <strong>{email}</strong>. They hold for ten minutes, in this browser only.
      </p>
      <Form method="post" action={action} ref={form}>
        <Stack gap={4}>
          <TextField
            ref={field}
            label="Code from the e-mail"
            name="code"
            code
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={12}
            required
            defaultValue={result?.code}
            error={result?.fields?.code}
          />
          <Button
            kind="primary"
            size="large"
            full
            name="intent"
            value="verify-code"
            pending={intent === "verify-code" && "Checking the code…"}
          >
            Continue
          </Button>
        </Stack>
      </Form>
      <Row justify="between">
        <Form method="post" action={action}>
          <input type="hidden" name="identifier" value={email} />
          <Button kind="quiet" name="intent" value="send-code" pending={intent === "send-code" && "Sending…"}>
            Send a new code
          </Button>
        </Form>
        {otherAddress ? (
          <Form method="post" action={action}>
            <Button kind="quiet" name="intent" value="other-address">
              {otherAddress}
            </Button>
          </Form>
        ) : null}
      </Row>
      <p className={text.muted}>
        Nothing there? Look in the folder for unwanted mail. A new code makes the old one void. Only a few go out in ten
        minutes, and a few wrong tries end one.
      </p>
    </Stack>
  );
}

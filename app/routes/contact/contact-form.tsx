import { RefusalNote } from "~/components/results/refusal-note";
import type { Refused } from "~/lib/form-result";
import { paths } from "~/lib/paths";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { EmailAtEnd } from "~/ui/email-at-end";
import { Stack } from "~/ui/layout";
import { TextArea } from "~/ui/text-area";
import { TextField } from "~/ui/text-field";
import * as styles from "./contact.css";

/** The maximum length of a message, in characters. */
export const longestMessage = 4_000;

type Props = {
  /** Null for a visitor who is not signed in. */
  email: string | null;
  swap: string;
  supportEmail: string;
  result: Refused | undefined;
};

/** A plain form, because the page has no scripts. */
export function ContactForm({ email, swap, supportEmail, result }: Props) {
  const { values = {}, fields = {} } = result ?? {};
  const firstWrong = ["email", "swap", "message"].find((name) => fields[name]);
  return (
    <form method="post" action={paths.contact()} noValidate>
      <Stack gap={4}>
        <RefusalNote result={result} />
        {email === null ? (
          <TextField
            label="E-mail address"
            name="email"
            type="email"
            autoComplete="email"
            autoFocus={firstWrong === "email"}
            defaultValue={values.email}
            error={fields.email}
          />
        ) : (
          <p>
            We'll reply to <EmailAtEnd email={email} />
          </p>
        )}
        <TextField
          label="Swap number (optional)"
          hint="On the swap's page and in our e-mails, such as 1CRT-8K55-KRE."
          name="swap"
          autoComplete="off"
          autoFocus={firstWrong === "swap"}
          defaultValue={values.swap ?? swap}
          error={fields.swap}
        />
        <TextArea
          label="Your message"
          hint="Never send us a code, a PIN, a passkey or a recovery phrase."
          name="message"
          className={styles.message}
          maxLength={longestMessage}
          autoFocus={firstWrong === "message"}
          defaultValue={values.message}
          error={fields.message}
        />
        <Button kind="primary" size="large" full>
          Send message
        </Button>
        <p className={`${text.small} ${text.muted}`}>
          Or write to <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
        </p>
      </Stack>
    </form>
  );
}

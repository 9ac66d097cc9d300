import type { MailPreferences } from "~/api/contract";
import type { FormResult } from "~/lib/form-result";
import { swapMailNames, swapMails } from "~/lib/swap-mails";
import { useIsSending } from "~/loaded-data/use-is-sending";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { Checkboxes } from "~/ui/checkboxes";
import { Row, Stack } from "~/ui/layout";
import * as styles from "../doger.css";
import { AccountForm } from "./account-form";
import { ResultNote } from "./result-note";

type Props = { preferences: MailPreferences; result: FormResult | undefined };

/** Which e-mails about swaps the customer gets. */
export function MailsCard({ preferences, result }: Props) {
  const isSending = useIsSending();
  return (
    <Card id="mails" aria-labelledby="mails-title">
      <AccountForm>
        <Stack gap={4}>
          <h3 className={text.heading} id="mails-title">
            E-mails
          </h3>
          <ResultNote result={result} />
          <Checkboxes
            label="We e-mail you when"
            options={swapMails.map((name) => ({ name, label: swapMailNames[name], defaultChecked: preferences[name] }))}
          />
          <p className={styles.note}>
            We always e-mail you if a swap needs your decision or can't be refunded, when a hold begins or ends, if a
            payment disappears, and about your verification and the security of your account.
          </p>
          <Row>
            <Button name="intent" value="set-mails" pending={isSending({ intent: "set-mails" }) && "Saving…"}>
              Save
            </Button>
          </Row>
        </Stack>
      </AccountForm>
    </Card>
  );
}

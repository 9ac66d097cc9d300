import type { User } from "~/api/contract";
import { HelpLinks } from "~/components/help/help-links";
import { DateTime } from "~/components/locale/date-time";
import { formatDuration } from "~/lib/durations";
import { paths } from "~/lib/paths";
import { useSiteTerms } from "~/loaded-data/root-data";
import { text } from "~/styles/text.css";
import { ButtonLink } from "~/ui/button";
import { Card } from "~/ui/card";
import { Row, Stack } from "~/ui/layout";
import { Note } from "~/ui/note";
import * as styles from "../doger.css";
import { ConfirmNote } from "./confirm-note";

type Props = {
  user: Pick<User, "email" | "payouts_wait_until">;
  /** Why the last download was refused. */
  refusal: string | null;
};

/** A copy of everything that we keep. */
export function DataCard({ user: { email, payouts_wait_until: until }, refusal }: Props) {
  const { recoveryHoldMs } = useSiteTerms();
  return (
    <Card aria-labelledby="copy-title">
      <Stack gap={4}>
        <h3 className={text.heading} id="copy-title">
          A copy of your data
        </h3>
        {refusal === "confirm" ? (
          <ConfirmNote email={email} action={paths.doger} request={refusal} />
        ) : refusal === "later" ? (
          <Note tone="waiting" title="You've reached the download limit" live>
            <p>Try again in an hour.</p>
          </Note>
        ) : refusal === "recovered" ? (
          <Note tone="waiting" title="You can't download your data yet" live>
            <p>
              Your account was recovered with an e-mail code. In case that wasn't you, your data can't be downloaded
              until {until ? <DateTime at={until} /> : `${formatDuration(recoveryHoldMs)} after the recovery`}.
            </p>
          </Note>
        ) : null}
        <p>
          Download everything we keep about you: your profile, identity details, addresses, swaps with their payments,
          passkeys and <span className={text.unbroken}>signed-in</span> devices.
        </p>
        <Row>
          {/* The response is a file, so the browser must load it, not the router. */}
          <ButtonLink to={paths.dataExport} reloadDocument prefetch="none">
            Download your data
          </ButtonLink>
        </Row>
        <p className={styles.note}>
          A zip file with JSON for programs and CSV for spreadsheets. Keep it in a safe place.
        </p>
        <HelpLinks links={[{ id: "your-data", question: "How do I get a copy of my data, or delete my account?" }]} />
      </Stack>
    </Card>
  );
}

import type { Session } from "~/api/contract";
import { DateTime } from "~/components/locale/date-time";
import type { FormResult } from "~/lib/form-result";
import { paths } from "~/lib/paths";
import { useIsSending } from "~/loaded-data/use-is-sending";
import { text } from "~/styles/text.css";
import { Badge } from "~/ui/badge";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { Row, Stack } from "~/ui/layout";
import { PlainList } from "~/ui/plain-list";
import { VisuallyHidden } from "~/ui/visually-hidden";
import * as styles from "../doger.css";
import { AccountForm } from "./account-form";
import { ActionNote } from "./action-note";

type SessionWithDevice = Omit<Session, "user_agent"> & { device: string };

type Props = {
  sessions: readonly SessionWithDevice[];
  email: string;
  result: FormResult | undefined;
};

/** The account's sessions, each with a button to end it. */
export function SessionsCard({ sessions, email, result }: Props) {
  const isSending = useIsSending();
  const others = sessions.some(({ current }) => !current);
  return (
    <Card id="sessions" aria-labelledby="sessions-title">
      <Stack gap={4}>
        <h3 className={text.heading} id="sessions-title">
          Signed-in devices
        </h3>
        <ActionNote email={email} action={paths.doger} result={result} />
        <PlainList className={styles.rows}>
          {sessions.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              ending={isSending({ intent: "end-session", id: session.id })}
            />
          ))}
        </PlainList>
        {others ? (
          <AccountForm>
            <Button
              name="intent"
              value="end-other-sessions"
              pending={isSending({ intent: "end-other-sessions" }) && "Signing out…"}
            >
              Sign out all other devices
            </Button>
          </AccountForm>
        ) : (
          <p className={styles.note}>No other device is signed in.</p>
        )}
      </Stack>
    </Card>
  );
}

function SessionRow({ session, ending }: { session: SessionWithDevice; ending: boolean }) {
  const { id, device, method, created_at, last_used_at, current } = session;
  return (
    <li className={styles.row}>
      <Row justify="between">
        <span className={styles.name}>{device}</span>
        {current ? (
          <Badge tone="good">This device</Badge>
        ) : (
          <AccountForm>
            <input type="hidden" name="id" value={id} />
            <Button size="small" name="intent" value="end-session" pending={ending && "Signing out…"}>
              Sign out<VisuallyHidden> {device}</VisuallyHidden>
            </Button>
          </AccountForm>
        )}
      </Row>
      <p className={styles.note}>
        Signed in with {method === "passkey" ? "a passkey" : "an e-mail code"} on <DateTime at={created_at} />
        {current ? null : (
          <>
            , last active <DateTime at={last_used_at} />
          </>
        )}
      </p>
    </li>
  );
}

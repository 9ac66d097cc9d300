import { Form, useNavigation } from "@remix-run/react";
import type { Session } from "~/api/contract";
import { Moment } from "~/components/locale/moment";
import { paths } from "~/lib/paths";
import { text } from "~/styles/text.css";
import { Badge } from "~/ui/badge";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { Row, Stack } from "~/ui/layout";
import { VisuallyHidden } from "~/ui/visually-hidden";
import * as styles from "./tally.css";
import { type TallyAnswer, TallyNote } from "./tally-note";

export type ShownSession = Omit<Session, "user_agent"> & { device: string };

type Props = { sessions: readonly ShownSession[]; answer: TallyAnswer | undefined };

/** Where this account is signed in; each can be ended from here. */
export function SessionsCard({ sessions, answer }: Props) {
  const sent = useNavigation().formData;
  const others = sessions.some(({ current }) => !current);
  return (
    <Card id="sessions" aria-labelledby="sessions-title">
      <Stack gap={4}>
        <h2 className={text.heading} id="sessions-title">
          Signed in
        </h2>
        <TallyNote answer={answer} />
        <ul className={styles.rows}>
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} ending={sent?.get("id") === session.id} />
          ))}
        </ul>
        {others ? (
          <Form method="post" action={paths.doger} preventScrollReset>
            <Button
              name="intent"
              value="end-other-sessions"
              pending={sent?.get("intent") === "end-other-sessions" && "Signing out…"}
            >
              Sign out everywhere else
            </Button>
          </Form>
        ) : (
          <p className={styles.facts}>Nobody else is signed in to your account.</p>
        )}
      </Stack>
    </Card>
  );
}

function SessionRow({ session, ending }: { session: ShownSession; ending: boolean }) {
  const { id, device, method, created_at, last_used_at, current } = session;
  return (
    <li className={styles.row}>
      <Row justify="between">
        <span className={styles.name}>{device}</span>
        {current ? (
          <Badge tone="good">This one</Badge>
        ) : (
          <Form method="post" action={paths.doger} preventScrollReset>
            <input type="hidden" name="id" value={id} />
            <Button size="small" name="intent" value="end-session" pending={ending && "Signing out…"}>
              Sign out<VisuallyHidden> {device}</VisuallyHidden>
            </Button>
          </Form>
        )}
      </Row>
      <p className={styles.facts}>
        With {method === "passkey" ? "a passkey" : "an e-mail code"} since <Moment at={created_at} />
        {current ? null : (
          <>
            , last seen <Moment at={last_used_at} />
          </>
        )}
      </p>
    </li>
  );
}

import { Form, useNavigation } from "@remix-run/react";
import { useHydrated } from "remix-utils/use-hydrated";
import type { Passkey } from "~/api/contract";
import { Moment } from "~/components/locale/moment";
import { passkeyPendingWords } from "~/components/sign-in/passkey-words";
import { usePasskey } from "~/components/sign-in/use-passkey";
import { paths } from "~/lib/paths";
import { text } from "~/styles/text.css";
import { Badge } from "~/ui/badge";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { Disclosure } from "~/ui/disclosure";
import { Row, Stack } from "~/ui/layout";
import { NeedsScripts } from "~/ui/needs-scripts";
import { Note } from "~/ui/note";
import { TextField } from "~/ui/text-field";
import * as styles from "./tally.css";
import { type TallyAnswer, TallyNote } from "./tally-note";

type Props = { passkeys: readonly Passkey[]; email: string; answer: (TallyAnswer & { confirm?: true }) | undefined };

/** Each key to this account: what it is called, when it was used; rename it, remove it, add another. */
export function PasskeysCard({ passkeys, email, answer }: Props) {
  const hydrated = useHydrated();
  const adding = usePasskey("registration", paths.doger);
  const confirming = usePasskey("passkey", paths.doger);
  const shown = latest(confirming.result, adding.result, answer);
  const needsConfirming = shown === answer ? answer?.confirm : shown?.refusal === "passkey_too_old";
  return (
    <Card id="passkeys" aria-labelledby="passkeys-title">
      <Stack gap={4}>
        <h2 className={text.heading} id="passkeys-title">
          Passkeys
        </h2>
        {needsConfirming ? (
          <Note
            tone="waiting"
            title="Confirm with your passkey once more"
            live
            action={
              hydrated ? (
                <Button
                  type="button"
                  pending={passkeyPendingWords[confirming.step]}
                  onClick={() => confirming.start(email)}
                >
                  Confirm
                </Button>
              ) : undefined
            }
          >
            <p>
              {hydrated
                ? "You signed in a while ago, and this changes who can. Then press again."
                : "You signed in a while ago, and this changes who can. Sign out, sign in again, and come back."}
            </p>
          </Note>
        ) : (
          <TallyNote answer={shown} />
        )}
        <ul className={styles.rows}>
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} error={answer?.fields?.[passkey.id]} />
          ))}
        </ul>
        <NeedsScripts>
          <Row>
            <Button type="button" pending={passkeyPendingWords[adding.step]} onClick={() => adding.start(email)}>
              Add a passkey
            </Button>
          </Row>
        </NeedsScripts>
        <noscript>
          <p className={styles.facts}>Adding a passkey needs scripts in your browser.</p>
        </noscript>
      </Stack>
    </Card>
  );
}

/** The ceremony under way speaks; before it the form that was posted. Options alone say nothing. */
function latest(...answers: (TallyAnswer | null | undefined)[]): TallyAnswer | undefined {
  return answers.find((answer) => answer && (answer.error ?? ("done" in answer && answer.done))) ?? undefined;
}

function PasskeyRow({ passkey, error }: { passkey: Passkey; error: string | undefined }) {
  const { id, name, created_at, last_used_at, backed_up } = passkey;
  const sent = useNavigation().formData;
  const pending = sent?.get("id") === id ? sent.get("intent") : null;
  return (
    <li className={styles.row}>
      <Row justify="between">
        <span className={styles.name}>{name}</span>
        <Badge plain>{backed_up ? "Synced" : "This device only"}</Badge>
      </Row>
      <p className={styles.facts}>
        Added <Moment at={created_at} />
        {last_used_at ? (
          <>
            , last used <Moment at={last_used_at} />
          </>
        ) : (
          ", not used yet"
        )}
      </p>
      <div className={styles.changes}>
        <Disclosure summary="Rename or remove" open={error !== undefined}>
          <Stack gap={4}>
            <Form method="post" action={paths.doger} preventScrollReset>
              <input type="hidden" name="id" value={id} />
              <Stack gap={3}>
                <TextField label="Name" name="name" defaultValue={name} required maxLength={60} error={error} />
                <Row>
                  <Button
                    size="small"
                    name="intent"
                    value="rename-passkey"
                    pending={pending === "rename-passkey" && "Saving…"}
                  >
                    Save the name
                  </Button>
                </Row>
              </Stack>
            </Form>
            <Form method="post" action={paths.doger} preventScrollReset>
              <input type="hidden" name="id" value={id} />
              <Stack gap={2}>
                <p>
                  Remove “{name}”? It can no longer sign in here, and what it opened elsewhere is signed out. It stays
                  in your device's own list until you delete it there.
                </p>
                <Row>
                  <Button
                    kind="danger"
                    size="small"
                    name="intent"
                    value="remove-passkey"
                    pending={pending === "remove-passkey" && "Removing…"}
                  >
                    Remove this passkey
                  </Button>
                </Row>
              </Stack>
            </Form>
          </Stack>
        </Disclosure>
      </div>
    </li>
  );
}

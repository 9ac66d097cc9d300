import type { Passkey } from "~/api/contract";
import { HelpLinks } from "~/components/help/help-links";
import { DateTime } from "~/components/locale/date-time";
import { passkeyPendingMessages } from "~/components/sign-in/passkey-messages";
import { useLatest } from "~/components/sign-in/use-latest";
import { usePasskey } from "~/components/sign-in/use-passkey";
import { type Refused, toRefused } from "~/lib/form-result";
import { paths } from "~/lib/paths";
import { useIsSending } from "~/loaded-data/use-is-sending";
import { text } from "~/styles/text.css";
import { Badge } from "~/ui/badge";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { Disclosure } from "~/ui/disclosure";
import { Row, Stack } from "~/ui/layout";
import { NeedsScripts } from "~/ui/needs-scripts";
import { PlainList } from "~/ui/plain-list";
import { TextField } from "~/ui/text-field";
import { useErrorFocus } from "~/ui/use-error-focus";
import { VisuallyHidden } from "~/ui/visually-hidden";
import * as styles from "../doger.css";
import { AccountForm } from "./account-form";
import { ActionNote } from "./action-note";
import type { ShownResult } from "./result-note";

type Props = {
  passkeys: readonly Passkey[];
  email: string;
  result: ShownResult | undefined;
};

/** The account's passkeys: rename or remove each, or add another. */
export function PasskeysCard({ passkeys, email, result }: Props) {
  const adding = usePasskey("registration", paths.doger);
  const latest = useLatest<Props["result"] | null>(adding.result, result);
  return (
    <Card id="passkeys" aria-labelledby="passkeys-title">
      <Stack gap={4}>
        <h3 className={text.heading} id="passkeys-title">
          Passkeys
        </h3>
        <ActionNote email={email} action={paths.doger} result={latest} />
        <PlainList className={styles.rows}>
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} refused={toRefused(result)} />
          ))}
        </PlainList>
        <NeedsScripts>
          <Row>
            <Button
              type="button"
              pending={passkeyPendingMessages[adding.step]}
              onClick={() => adding.start(email, false)}
            >
              Add a passkey
            </Button>
          </Row>
        </NeedsScripts>
        <noscript>
          <p className={styles.note}>To add a passkey, turn on JavaScript.</p>
        </noscript>
        <HelpLinks links={[{ id: "security", question: "How do I keep my account safe?" }]} />
      </Stack>
    </Card>
  );
}

function PasskeyRow({ passkey, refused }: { passkey: Passkey; refused: Refused | undefined }) {
  const { id, name, created_at, last_used_at, backed_up, paused_until } = passkey;
  const error = refused?.fields?.[id];
  const isSending = useIsSending();
  return (
    <li className={styles.row}>
      <Row justify="between">
        <span className={styles.name}>{name}</span>
        {paused_until ? (
          <Badge tone="waiting">Paused</Badge>
        ) : (
          <Badge plain>{backed_up ? "Synced" : "This device only"}</Badge>
        )}
      </Row>
      <p className={styles.note}>
        {/* The e-mails that name the passkey give this time in UTC. */}
        Added <DateTime at={created_at} show="day-time-and-zone" />
        {last_used_at ? (
          <>
            , last used <DateTime at={last_used_at} />
          </>
        ) : (
          ", not used yet"
        )}
      </p>
      {paused_until ? (
        <p className={styles.note}>
          It can't sign in until <DateTime at={paused_until} />, because it was added with another passkey in the 30
          days before your account was recovered. If you don't recognise it, remove it.
        </p>
      ) : null}
      <Disclosure
        quiet
        summary={
          <>
            Rename or remove<VisuallyHidden> {name}</VisuallyHidden>
          </>
        }
        open={error !== undefined}
      >
        <Stack gap={4}>
          <RenamePasskeyForm
            passkey={passkey}
            refused={refused}
            error={error}
            isPending={isSending({ intent: "rename-passkey", id })}
          />
          <RemovePasskeyForm passkey={passkey} isPending={isSending({ intent: "remove-passkey", id })} />
        </Stack>
      </Disclosure>
    </li>
  );
}

type FormProps = { passkey: Passkey; isPending: boolean };

function RenamePasskeyForm({
  passkey: { id, name },
  refused,
  error,
  isPending,
}: FormProps & { refused: Refused | undefined; error: string | undefined }) {
  const form = useErrorFocus(refused);
  return (
    <AccountForm ref={form}>
      <input type="hidden" name="id" value={id} />
      <Stack gap={3}>
        <TextField
          label="Name"
          name="name"
          defaultValue={error ? refused?.values?.name : name}
          required
          maxLength={60}
          error={error}
        />
        <Row>
          <Button size="small" name="intent" value="rename-passkey" pending={isPending && "Saving…"}>
            Save name
          </Button>
        </Row>
      </Stack>
    </AccountForm>
  );
}

function RemovePasskeyForm({ passkey: { id, name }, isPending }: FormProps) {
  return (
    <AccountForm>
      <input type="hidden" name="id" value={id} />
      <Stack gap={2}>
        <p className={text.small}>
          Remove “{name}”? You will no longer be able to sign in with it, and other devices that did will be signed out.
          It stays on your device until you delete it there.
        </p>
        <Row>
          <Button kind="danger" size="small" name="intent" value="remove-passkey" pending={isPending && "Removing…"}>
            Remove this passkey
          </Button>
        </Row>
      </Stack>
    </AccountForm>
  );
}

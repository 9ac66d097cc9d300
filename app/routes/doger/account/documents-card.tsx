import { DateTime } from "~/components/locale/date-time";
import type { AcceptedVersion, NamedVersion } from "~/lib/consent";
import type { FormResult } from "~/lib/form-result";
import { paths } from "~/lib/paths";
import { useIsSending } from "~/loaded-data/use-is-sending";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { DataList } from "~/ui/data-list";
import { Disclosure } from "~/ui/disclosure";
import { Stack } from "~/ui/layout";
import { Note } from "~/ui/note";
import * as styles from "../doger.css";
import { AccountForm } from "./account-form";
import { ResultNote } from "./result-note";

export type Consents = { open: readonly NamedVersion[]; accepted: readonly AcceptedVersion[] };

type Props = { consents: Consents; result: FormResult | undefined };

/** Which versions of the terms and the privacy notice the customer has accepted, and the ones left to accept. */
export function DocumentsCard({ consents: { open, accepted }, result }: Props) {
  return (
    <Card id="documents" aria-labelledby="documents-title">
      <Stack gap={4}>
        <h3 className={text.heading} id="documents-title">
          Terms and privacy notice
        </h3>
        <ResultNote result={result} />
        {open.length > 0 ? <OpenVersions open={open} isChange={accepted.length > 0} /> : null}
        {accepted.length === 0 ? null : (
          <>
            <VersionList versions={accepted.filter((entry) => isNewest(entry, accepted))} />
            <Earlier versions={accepted.filter((entry) => !isNewest(entry, accepted))} />
          </>
        )}
        <p className={styles.note}>
          The terms that applied when you locked a swap's price apply to that swap. Payouts and refunds that we owe you
          don't depend on what you accept here.
        </p>
      </Stack>
    </Card>
  );
}

/** Whether this is the version of its document that the customer accepted last. */
function isNewest(entry: AcceptedVersion, accepted: readonly AcceptedVersion[]): boolean {
  return accepted.find(({ document }) => document === entry.document) === entry;
}

function OpenVersions({ open, isChange }: { open: readonly NamedVersion[]; isChange: boolean }) {
  const isSending = useIsSending();
  return (
    <AccountForm>
      {open.map(({ document, version }) => (
        <input key={document} type="hidden" name={document} value={version} />
      ))}
      <Note
        tone="info"
        title={isChange ? "There is a new version" : "You haven't accepted these yet"}
        action={
          <Button
            name="intent"
            value="accept-documents"
            size="small"
            pending={isSending({ intent: "accept-documents" }) && "Saving…"}
          >
            I accept
          </Button>
        }
      >
        {open.map(({ document, version, name }) => (
          <p key={document}>
            <a href={paths.legal(document)}>The {name}</a>, version {version}
          </p>
        ))}
      </Note>
    </AccountForm>
  );
}

function VersionList({ versions }: { versions: readonly AcceptedVersion[] }) {
  return (
    <DataList
      rows={versions.map(({ document, version, accepted_at }) => ({
        key: `${document} ${version}`,
        term: (
          <>
            <a href={paths.legal(document)}>{document === "terms" ? "Terms" : "Privacy notice"}</a>, version {version}
          </>
        ),
        value: (
          <>
            accepted <DateTime at={accepted_at} />
          </>
        ),
      }))}
    />
  );
}

function Earlier({ versions }: { versions: readonly AcceptedVersion[] }) {
  if (versions.length === 0) return null;
  return (
    <Disclosure summary="Earlier versions">
      <VersionList versions={versions} />
    </Disclosure>
  );
}

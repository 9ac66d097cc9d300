import { Form, Link } from "@remix-run/react";
import { DateTime } from "~/components/locale/date-time";
import { paths } from "~/lib/paths";
import { text } from "~/styles/text.css";
import { Button, ButtonLink } from "~/ui/button";
import { Card } from "~/ui/card";
import { CopyField } from "~/ui/copy-field";
import { Disclosure } from "~/ui/disclosure";
import { Row, Stack } from "~/ui/layout";
import { PlainList } from "~/ui/plain-list";
import { TextField } from "~/ui/text-field";
import type { SandboxMail } from "./embedded-sandbox.server";
import * as styles from "./sandbox.css";
import { type SandboxParams, toHiddenFields, toSandboxPath } from "./search-params";

type Props = { mails: readonly SandboxMail[]; params: SandboxParams };

/** The e-mails that the exchange would have sent, newest first. */
export function InboxCard({ mails, params }: Props) {
  const { to, ...others } = params;
  return (
    <Card id="inbox" aria-labelledby="inbox-title">
      <Stack gap={4}>
        <Row justify="between">
          <h2 id="inbox-title" className={text.heading}>
            Inbox
          </h2>
          <ButtonLink to={toSandboxPath(params)} prefetch="none" size="small" preventScrollReset>
            Check for new e-mail
          </ButtonLink>
        </Row>
        <p className={text.muted}>
          The sandbox sends no real e-mail. Everything that the exchange would send, including codes, appears here.
        </p>
        <Form method="get" action={paths.sandbox} preventScrollReset>
          {toHiddenFields(others).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <div className={styles.filter}>
            <TextField
              key={to}
              label="Show only e-mails to"
              name="to"
              type="email"
              inputMode="email"
              autoComplete="off"
              placeholder="you@example.org"
              defaultValue={to ?? ""}
            />
            <Button className={styles.filterButton}>Show</Button>
          </div>
        </Form>
        {to ? (
          <p>
            <Link to={toSandboxPath({ ...params, to: null })} preventScrollReset>
              Show all e-mails
            </Link>
          </p>
        ) : null}
        {mails.length === 0 ? (
          <p>{to ? `No e-mails to ${to} yet.` : "No e-mails yet. Request a sign-in code and it appears here."}</p>
        ) : (
          <PlainList ordered>
            {mails.map((mail) => (
              <li key={`${mail.at} ${mail.to} ${mail.subject}`}>
                <Mail mail={mail} />
              </li>
            ))}
          </PlainList>
        )}
      </Stack>
    </Card>
  );
}

function Mail({ mail }: { mail: SandboxMail }) {
  return (
    <article className={styles.mail}>
      <Stack gap={2}>
        <h3 className={styles.subject}>{mail.subject}</h3>
        <p className={styles.envelope}>
          to <strong>{mail.to}</strong>
          <br />
          <DateTime at={mail.at} />
        </p>
        {mail.code ? <CopyField label="Code" value={mail.code} what={`the code for ${mail.to}`} /> : null}
        <Disclosure summary="Full e-mail">
          <p className={styles.body}>{mail.text}</p>
        </Disclosure>
      </Stack>
    </article>
  );
}

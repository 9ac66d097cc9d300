import { Form, Link } from "@remix-run/react";
import { Moment } from "~/components/locale/moment";
import { text } from "~/styles/text.css";
import { Button, ButtonLink } from "~/ui/button";
import { Card } from "~/ui/card";
import { CopyField } from "~/ui/copy-field";
import { Disclosure } from "~/ui/disclosure";
import { Row, Stack } from "~/ui/layout";
import { TextField } from "~/ui/text-field";
import * as styles from "./sandbox.css";
import type { SandboxMail } from "./sandbox-calls.server";
import { type SandboxParams, toSandboxPath } from "./search-params";

type Props = { mails: readonly SandboxMail[]; params: SandboxParams };

/** The mails that the exchange would have sent, newest first. */
export function InboxCard({ mails, params }: Props) {
  return (
    <Card id="inbox" aria-labelledby="inbox-title">
      <Stack gap={4}>
        <Row justify="between">
          <h2 id="inbox-title" className={text.heading}>
            Inbox
          </h2>
          <ButtonLink to={toSandboxPath(params)} prefetch="none" size="small" preventScrollReset>
            Look for new mail
          </ButtonLink>
        </Row>
        <p className={text.muted}>
          No mail leaves the sandbox. What the exchange writes to anybody arrives here, codes and all.
        </p>
        <Form method="get" action="/sandbox" preventScrollReset>
          {params.redirect ? <input type="hidden" name="redirect" value={params.redirect} /> : null}
          <div className={styles.filter}>
            <TextField
              key={params.to}
              label="Only mails to"
              name="to"
              type="email"
              inputMode="email"
              autoComplete="off"
              placeholder="you@example.org"
              defaultValue={params.to ?? ""}
            />
            <Button>Show</Button>
          </div>
        </Form>
        {params.to ? (
          <p>
            <Link to={toSandboxPath({ ...params, to: null })} preventScrollReset>
              Show everybody's
            </Link>
          </p>
        ) : null}
        {mails.length === 0 ? (
          <p>
            {params.to ? `Nothing for ${params.to} yet.` : "Nothing yet. Ask for a code by e-mail and it arrives here."}
          </p>
        ) : (
          <ol className={styles.mails}>
            {mails.map((mail) => (
              <li key={`${mail.at} ${mail.to} ${mail.subject}`}>
                <Mail mail={mail} />
              </li>
            ))}
          </ol>
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
          <Moment at={mail.at} />
        </p>
        {mail.code ? <CopyField label="Code" value={mail.code} what={`the code for ${mail.to}`} /> : null}
        <Disclosure summary="The whole mail">
          <p className={styles.letter}>{mail.text}</p>
        </Disclosure>
      </Stack>
    </article>
  );
}

import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { orNullIfUnavailable } from "~/api/errors";
import { DateTime } from "~/components/locale/date-time";
import { Page } from "~/components/shell/layouts";
import { withoutScripts } from "~/components/shell/use-scripts";
import { createPublicClient } from "~/exchange-binding/exchange-client.server";
import { paths } from "~/lib/paths";
import { readLocale } from "~/lib/read-locale.server";
import { text } from "~/styles/text.css";
import { Badge } from "~/ui/badge";
import { Card } from "~/ui/card";
import { Stack } from "~/ui/layout";
import { Note } from "~/ui/note";
import { PlainList } from "~/ui/plain-list";
import { Table } from "~/ui/table";
import * as styles from "./status.css";
import { type DayView, type IncidentView, type StatusView, toStatusView } from "./status-view";

/**
 * Whether swaps are accepted now, and when they were not in the last 30 days. Null while the exchange does not respond.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { numbers } = readLocale(request.headers);
  const api = createPublicClient({ request, context });
  const found = await orNullIfUnavailable(Promise.all([api.getStatus(), api.getStatusHistory()]));
  if (found === null) return { view: null };
  const [status, history] = found;
  return { view: toStatusView(status, history, numbers, new Date()) };
}

/** The visitor wants to know the state now. */
export const headers = () => ({ "Cache-Control": "private, no-store" });

export const handle = withoutScripts;

export const meta: MetaFunction = () => [
  { title: "Status · Antelope" },
  {
    name: "description",
    content: "Whether you can start a swap, and every interruption of a minute or more in the last 30 days.",
  },
];

export default function StatusPage() {
  const { view } = useLoaderData<typeof loader>();
  return (
    <Page
      title="Status"
      lede="Whether you can start a swap now, and every interruption of a minute or more in the last 30 days."
    >
      {view ? (
        <>
          <Now view={view} />
          <History view={view} />
        </>
      ) : (
        <Note tone="danger" title="Our exchange isn't responding">
          <p>New swaps aren't possible right now. Swaps that you have paid for continue once it is back.</p>
        </Note>
      )}
    </Page>
  );
}

function Now({ view: { isOpen, label, chains } }: { view: StatusView }) {
  return (
    <Card roomy>
      <Stack gap={4}>
        <h2 className={text.heading}>Now</h2>
        <PlainList className={styles.services}>
          <li className={styles.service}>
            <span className={text.strong}>Swaps</span>
            <Badge tone={isOpen ? "good" : "waiting"}>{label}</Badge>
          </li>
          {chains.map(({ name, isOk, text: state }) => (
            <li key={name} className={styles.service}>
              <span className={text.strong}>{name}</span>
              <Badge tone={isOk ? "good" : "waiting"}>{state}</Badge>
            </li>
          ))}
        </PlainList>
        {isOpen ? null : (
          <p>
            If you have already paid for a swap, we complete it or refund it as soon as we can. A price that you have
            locked stays valid: you can still pay until the time to pay ends.
          </p>
        )}
      </Stack>
    </Card>
  );
}

function History({ view: { share, since, days, incidents } }: { view: StatusView }) {
  return (
    <Card roomy>
      <Stack gap={4}>
        <h2 className={text.heading}>History</h2>
        <p>
          New swaps have been possible {share} of the time since <DateTime at={since} />.
        </p>
        <div>
          <div className={styles.days} role="img" aria-label={toSummary(days)}>
            {days.map(({ date, level }) => (
              <span key={date} className={styles.levels[level]} />
            ))}
          </div>
          <div className={styles.ends} aria-hidden="true">
            <span>30 days ago</span>
            <span>Today</span>
          </div>
        </div>
        {incidents.length === 0 ? (
          <p className={text.muted}>There was no interruption of a minute or more.</p>
        ) : (
          <Incidents incidents={incidents} />
        )}
        <p className={`${text.small} ${text.muted}`}>
          Days are in UTC. If your swap seems to be stuck, see{" "}
          <a href={paths.answer("waiting")}>I have paid. Why is nothing happening?</a>
        </p>
      </Stack>
    </Card>
  );
}

function Incidents({ incidents }: { incidents: readonly IncidentView[] }) {
  return (
    <Table
      caption="Interruptions, newest first"
      rows={incidents}
      rowKey={({ from, reason }) => from + reason}
      columns={[
        { key: "from", header: "Started", rowHeader: true, cell: ({ from }) => <DateTime at={from} /> },
        { key: "reason", header: "Why", cell: ({ reason }) => reason },
        {
          key: "duration",
          header: "How long",
          cell: ({ duration, isOver }) => (isOver ? duration : `${duration} so far`),
        },
      ]}
    />
  );
}

function toSummary(days: readonly DayView[]): string {
  const recorded = days.filter(({ level }) => level !== "unknown").length;
  const interrupted = days.filter(({ level }) => level === "interrupted").length;
  return `${recorded} ${recorded === 1 ? "day" : "days"} recorded, ${interrupted} with an interruption`;
}

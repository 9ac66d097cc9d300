import { DrinkingAntelope } from "~/components/brand/drinking-antelope";
import { Badge } from "~/ui/badge";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { CountdownRing } from "~/ui/countdown-ring";
import { DataList } from "~/ui/data-list";
import { Disclosure } from "~/ui/disclosure";
import { EmptyState } from "~/ui/empty-state";
import { Row, Stack } from "~/ui/layout";
import { Note } from "~/ui/note";
import { QrCode } from "~/ui/qr-code";
import type { QrDrawing } from "~/ui/qr-drawing.server";
import { Spinner } from "~/ui/spinner";
import { Table } from "~/ui/table";
import { Timeline } from "~/ui/timeline";
import * as styles from "./styleguide.css";

const swaps = [
  { id: "10482", sent: "250.00 USDT", got: "708.2859 MOB", tone: "good", state: "Done", when: "21 Nov, 14:06" },
  {
    id: "10471",
    sent: "1,000.0000 MOB",
    got: "349.25 USDT",
    tone: "waiting",
    state: "Confirming",
    when: "21 Nov, 13:58",
  },
  { id: "10399", sent: "40.00 USDT", got: "refunded", tone: "danger", state: "Refused", when: "19 Nov, 09:12" },
] as const;

export function StateSamples({ qr }: { qr: QrDrawing }) {
  return (
    <div className={styles.columns}>
      <Card>
        <Stack gap={3}>
          <h2>Notes</h2>
          <Note>Paid too little, too much or too late? Nothing is lost: this page will ask what you want.</Note>
          <Note tone="good" icon={<CountdownRing left={42} total={60} />}>
            This price holds for 42 seconds
          </Note>
          <Note tone="waiting" icon={<CountdownRing left={1471} total={1800} />}>
            Price locked, 24:31 left to pay
          </Note>
          <Note tone="danger" title="The code was not right" action={<Button size="small">Send a new one</Button>}>
            Your account is as it was. Codes live for ten minutes.
          </Note>
          <Row>
            <Badge>Open</Badge>
            <Badge tone="good">Done</Badge>
            <Badge tone="waiting">Confirming</Badge>
            <Badge tone="danger">Refused</Badge>
            <Badge plain>3 of 12</Badge>
          </Row>
          <Row gap={6}>
            <Spinner>Asking the chain…</Spinner>
            <CountdownRing large left={20} total={60} />
          </Row>
        </Stack>
      </Card>
      <Card>
        <Timeline
          label="What happens with this swap"
          steps={[
            { key: "1", state: "done", title: "Price locked", detail: "14:02:11 · 1 USDT = 2.8474 MOB" },
            { key: "2", state: "done", title: "Your 250.00 USDT came", detail: "14:03:40" },
            { key: "3", state: "current", title: "3 of 12 confirmations", detail: "about 2 minutes" },
            {
              key: "4",
              state: "problem",
              title: "The payout waits for us",
              detail: "We are looking at it. Your money is safe.",
            },
            { key: "5", state: "todo", title: "708.2859 MOB to “My Signal”", detail: "6UEt kmr1 … r2Uh · seconds" },
          ]}
        />
      </Card>
      <Card>
        <Stack gap={4}>
          <DataList
            rows={[
              { term: "Rate", value: "1 USDT = 2.8474 MOB" },
              { term: "Fee, 0.5 %", value: "1.25 USDT" },
              { term: "Confirmations", value: "12 blocks, about 3 min" },
              { term: "You get", value: "708.2859 MOB", total: true },
            ]}
          />
          <Disclosure summary="What if I pay late?">
            <p>Then this page offers today’s price, or your money back to your own address.</p>
          </Disclosure>
          <QrCode drawing={qr} label="The address and the amount as a code to scan; both can be copied beside it." />
        </Stack>
      </Card>
      <Card>
        <EmptyState
          picture={<DrinkingAntelope />}
          title="No swaps yet"
          action={
            <Button kind="secondary" type="button">
              Start the first one
            </Button>
          }
        >
          When you have swapped something, it is counted here.
        </EmptyState>
      </Card>
      <Card>
        <Table
          caption="Your swaps"
          rows={swaps}
          rowKey={(swap) => swap.id}
          columns={[
            { key: "id", header: "Swap", cell: (swap) => <a href="/styleguide">{swap.id}</a>, rowHeader: true },
            { key: "when", header: "When", cell: (swap) => swap.when },
            { key: "sent", header: "Sent", cell: (swap) => swap.sent, numeric: true },
            { key: "state", header: "State", cell: (swap) => <Badge tone={swap.tone}>{swap.state}</Badge> },
          ]}
        />
      </Card>
    </div>
  );
}

import { Antelope } from "~/components/brand/antelope";
import { Badge } from "~/ui/badge";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { CountdownRing } from "~/ui/countdown-ring";
import { DataList } from "~/ui/data-list";
import { Disclosure } from "~/ui/disclosure";
import type { QrDrawing } from "~/ui/draw-qr";
import { EmptyState } from "~/ui/empty-state";
import { Row, Stack } from "~/ui/layout";
import { Note } from "~/ui/note";
import { QrCode } from "~/ui/qr-code";
import { Spinner } from "~/ui/spinner";
import { Table } from "~/ui/table";
import { Timeline } from "~/ui/timeline";
import * as styles from "./styleguide.css";

const swaps = [
  { id: "10482", sent: "250.00 USDT", received: "708.2859 MOB", tone: "good", state: "Done", when: "21 Nov, 14:06" },
  {
    id: "10471",
    sent: "1,000.0000 MOB",
    received: "349.25 USDT",
    tone: "waiting",
    state: "Confirming",
    when: "21 Nov, 13:58",
  },
  { id: "10399", sent: "40.00 USDT", received: "refunded", tone: "danger", state: "Rejected", when: "19 Nov, 09:12" },
] as const;

export function StateSamples({ qr }: { qr: QrDrawing }) {
  return (
    <div className={styles.columns}>
      <Card>
        <Stack gap={3}>
          <h2>Notes</h2>
          <Note>Paid too little or too late? Your money is safe: this page asks you what to do.</Note>
          <Note tone="good" icon={<CountdownRing left={42} total={60} />}>
            This price is valid for 42 seconds
          </Note>
          <Note tone="waiting" icon={<CountdownRing left={1471} total={1800} />}>
            Price locked, 24:31 left to pay
          </Note>
          <Note tone="danger" title="Wrong code" action={<Button size="small">Send a new one</Button>}>
            Codes are valid for 10 minutes.
          </Note>
          <Row>
            <Badge>Open</Badge>
            <Badge tone="good">Done</Badge>
            <Badge tone="waiting">Confirming</Badge>
            <Badge tone="danger">Rejected</Badge>
            <Badge plain>3 of 12</Badge>
          </Row>
          <Row gap={6}>
            <Spinner>Checking the chain…</Spinner>
            <CountdownRing left={20} total={60} />
          </Row>
        </Stack>
      </Card>
      <Card>
        <Timeline
          label="Progress of this swap"
          steps={[
            { key: "1", state: "done", title: "Price locked", detail: "14:02:11 · 1 USDT = 2.8474 MOB" },
            { key: "2", state: "done", title: "250.00 USDT received", detail: "14:03:40" },
            { key: "3", state: "current", title: "3 of 12 confirmations", detail: "about 2 minutes" },
            {
              key: "4",
              state: "problem",
              title: "Payout on hold",
              detail: "Our team is reviewing it. Your money is safe.",
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
              { term: "Fee, 0.5%", value: "1.25 USDT" },
              { term: "Confirmations", value: "12 blocks, about 3 min" },
              { term: "You receive", value: "708.2859 MOB" },
            ]}
          />
          <Disclosure summary="What if I pay late?">
            <p>This page offers you a new price, or a refund to your own address.</p>
          </Disclosure>
          <QrCode drawing={qr} label="QR code with the address and the amount, which you can copy next to it" />
        </Stack>
      </Card>
      <Card>
        <EmptyState
          illustration={<Antelope pose="drinking" />}
          title="No swaps yet"
          action={
            <Button kind="secondary" type="button">
              Make your first swap
            </Button>
          }
        >
          Your swaps appear here.
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

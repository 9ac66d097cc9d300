import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { orNullIfUnavailable } from "~/api/errors";
import { Page } from "~/components/shell/layouts";
import { withoutScripts } from "~/components/shell/use-scripts";
import { createPublicClient } from "~/exchange-binding/exchange-client.server";
import { paths } from "~/lib/paths";
import { readLocale } from "~/lib/read-locale.server";
import { text } from "~/styles/text.css";
import { Card } from "~/ui/card";
import { DataList } from "~/ui/data-list";
import { Stack } from "~/ui/layout";
import { Note } from "~/ui/note";
import { Table } from "~/ui/table";
import * as styles from "./fees.css";
import { type FeeExample, type FeesView, toFeesView } from "./fees-view";

/** What a swap costs and how large it can be, at the published rates. Null while the exchange does not respond. */
export async function loader(args: LoaderFunctionArgs) {
  const { numbers } = readLocale(args.request.headers);
  const rates = await orNullIfUnavailable(createPublicClient(args).getCurrentRates());
  return { view: rates && toFeesView(rates, numbers) };
}

export const handle = withoutScripts;

export const meta: MetaFunction = () => [
  { title: "Fees and limits · Antelope" },
  { name: "description", content: "What a swap of USDT and MOB costs, with examples, and how large it can be." },
];

export default function Fees() {
  const { view } = useLoaderData<typeof loader>();
  return (
    <Page title="Fees and limits" lede="One fee for a swap, included in the price you see.">
      {view ? (
        <Details view={view} />
      ) : (
        <Note tone="waiting" title="We can't show the current fees right now">
          <p>
            Our exchange isn't responding. Try again in a minute, or check the <a href={paths.status}>status</a>.
          </p>
        </Note>
      )}
    </Page>
  );
}

function Details({ view }: { view: FeesView }) {
  return (
    <>
      <Card roomy>
        <Stack gap={6}>
          <Stack gap={2}>
            <h2 className={text.heading}>What it costs</h2>
            <p className={styles.reading}>
              Our fee is {view.fee} of the amount you send, but at least the network fee for the payout:{" "}
              {view.payoutCosts} at the moment. While the market price moves quickly, the gap between our prices for
              buying and selling MOB widens. Your own wallet or exchange charges you a network fee for sending, which
              doesn't go to us.
            </p>
          </Stack>
          {view.examples.length > 0 ? <Examples examples={view.examples} /> : null}
          <p className={styles.aside}>
            {view.examples.length > 0 ? "At the current rate. " : "There is no reliable rate right now. "}
            Your price is fixed when you lock it. <a href={paths.answer("fees")}>How the fee works</a>
          </p>
        </Stack>
      </Card>
      <div className={styles.columns}>
        <Card roomy>
          <Stack gap={4}>
            <h2 className={text.heading}>Limits</h2>
            <DataList rows={view.limits} />
          </Stack>
        </Card>
        <Card roomy>
          <Stack gap={4}>
            <h2 className={text.heading}>Times</h2>
            <DataList rows={view.times} />
          </Stack>
        </Card>
      </div>
      <Card roomy>
        <Stack gap={4}>
          <h2 className={text.heading}>Refunds</h2>
          <p className={styles.reading}>
            {view.refundCosts === null
              ? "We deduct nothing from a refund."
              : `From a refund, we deduct an amount that covers the network fee: ${view.refundCosts} at the moment. If the refund is not larger than that, we hold it. We send it back when the fee has dropped to a quarter of the refund or to its minimum, or when more money arrives.`}{" "}
            <a href={paths.answer("refunds")}>How refunds work</a>
          </p>
        </Stack>
      </Card>
    </>
  );
}

function Examples({ examples }: { examples: readonly FeeExample[] }) {
  return (
    <Table
      caption="Examples of fees, at the current rate"
      rows={examples}
      rowKey={({ send }) => send}
      columns={[
        { key: "send", header: "You send", rowHeader: true, cell: ({ send }) => send },
        { key: "fee", header: "Our fee", numeric: true, cell: ({ fee }) => fee },
        { key: "percent", header: "Of the amount", numeric: true, cell: ({ percent }) => percent },
        { key: "receive", header: "You receive about", numeric: true, cell: ({ receive }) => receive },
      ]}
    />
  );
}

import type { CurrentRates, Quote } from "~/api/contract";
import { HelpLinks } from "~/components/help/help-links";
import { useLocale } from "~/components/locale/use-locale";
import { assets } from "~/lib/assets";
import { formatConfirmationTime, formatDuration } from "~/lib/durations";
import { finalityTime } from "~/lib/finality-time";
import { formatBps } from "~/lib/format-bps";
import { paths } from "~/lib/paths";
import { useSiteTerms } from "~/loaded-data/root-data";
import { text } from "~/styles/text.css";
import { Card } from "~/ui/card";
import { Disclosure } from "~/ui/disclosure";
import { Stack } from "~/ui/layout";
import { Timeline } from "~/ui/timeline";
import * as styles from "../quote.css";

/** What happens after the price is locked, and what happens if the payment differs. */
export function WhatHappensNext({ quote, rates }: { quote: Quote; rates: CurrentRates }) {
  const { source_asset_symbol: source, target_asset_symbol: target } = quote;
  const { network } = assets[source];
  const confirmations = rates.confirmations[source];
  const time = formatConfirmationTime(network, confirmations);
  const { numbers } = useLocale();
  const { overpaidToleranceBps } = useSiteTerms();
  const payTime = formatDuration(rates.lock_ttl_seconds * 1000);
  return (
    <Card as="aside" roomy className={styles.aside}>
      <Stack gap={4}>
        <h2 className={text.heading}>What happens next</h2>
        <Timeline
          label="What happens once the price is locked"
          steps={[
            {
              key: "lock",
              state: "current",
              title: "You lock the price",
              detail: `It stays fixed for ${payTime}, whatever the market does. If you don't pay, you may have to wait before you can lock another.`,
            },
            {
              key: "pay",
              state: "todo",
              title: `You send the ${source}`,
              detail:
                "To an address used only for this swap. From an exchange, start the withdrawal as soon as the price is locked.",
            },
            {
              key: "confirm",
              state: "todo",
              title: confirmations > 1 ? `${confirmations} confirmations` : "Confirmed in a block",
              detail: source === "USDT" ? `This takes ${time}. A large payment can take ${finalityTime}.` : time,
            },
            { key: "out", state: "todo", title: `We pay out the ${target}`, detail: "To the address you choose here." },
          ]}
        />
        <div>
          <Disclosure summary="What if I pay too late?">
            <p>
              {source === "USDT"
                ? "We go by the time of the block that contains your payment"
                : "We go by when we first see your payment on the network"}
              , and allow an extra {formatDuration(rates.grace_seconds * 1000)}. After that your money is still safe:
              you choose between a new price and a refund. <a href={paths.answer("late")}>More about late payments</a>
            </p>
          </Disclosure>
          <Disclosure summary="What if I pay too little?">
            <p>
              You can send the rest in time, swap what we received at this price, or get a refund.{" "}
              <a href={paths.answer("too-little")}>More about paying too little</a>
            </p>
          </Disclosure>
          <Disclosure summary="What if I pay too much?">
            <p>
              Up to {formatBps(overpaidToleranceBps, numbers)} more is swapped at this price. If you send more than
              that, we swap the agreed amount and send back everything above it, less the network fee.{" "}
              <a href={paths.answer("too-much")}>More about paying too much</a>
            </p>
          </Disclosure>
        </div>
        <HelpLinks
          links={[
            { id: "price", question: "How long is my price valid?" },
            { id: "refund-address", question: "Why do you need a refund address?" },
            { id: "exchange", question: "Can I pay from an exchange account?" },
          ]}
        />
      </Stack>
    </Card>
  );
}

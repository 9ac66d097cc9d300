import type { Quote } from "~/api/contract";
import { assets } from "~/lib/assets";
import { toConfirmationWords, toDurationWords } from "~/lib/durations";
import type { PublishedRates } from "~/lib/indicative-price";
import { text } from "~/styles/text.css";
import { Card } from "~/ui/card";
import { Disclosure } from "~/ui/disclosure";
import { Stack } from "~/ui/layout";
import { Timeline } from "~/ui/timeline";

/** Beside the decision: what follows it, by when, and what happens where it goes otherwise. */
export function WhatHappensNext({ quote, rates }: { quote: Quote; rates: PublishedRates }) {
  const { source_asset_symbol: source, target_asset_symbol: target } = quote;
  const { network } = assets[source];
  const confirmations = rates.confirmations[source];
  const payTime = toDurationWords(rates.lock_ttl_seconds * 1000);
  return (
    <Card as="aside">
      <Stack gap={4}>
        <h2 className={text.heading}>What happens next</h2>
        <Timeline
          label="What happens once the price is locked"
          steps={[
            {
              key: "lock",
              state: "current",
              title: "You lock the price",
              detail: `It then holds for ${payTime}, whatever the market does.`,
            },
            {
              key: "pay",
              state: "todo",
              title: `You send the ${source}`,
              detail: "To an address made for this swap alone.",
            },
            {
              key: "confirm",
              state: "todo",
              title: confirmations > 1 ? `${confirmations} confirmations` : "It is in a block",
              detail: toConfirmationWords(network, confirmations),
            },
            { key: "out", state: "todo", title: `The ${target} is paid out`, detail: "To the address you chose here." },
          ]}
        />
        <div>
          <Disclosure summary="If I pay too late?">
            <p>
              What counts is the time of your payment's block, and there are{" "}
              {toDurationWords(rates.grace_seconds * 1000)} of grace. After that your money is safe: you choose a new
              price or have it back.
            </p>
          </Disclosure>
          <Disclosure summary="If I pay too little?">
            <p>You can send the rest in time, swap what came at this price, or have it back.</p>
          </Disclosure>
          <Disclosure summary="If I pay too much?">
            <p>Up to 2 % more is swapped at this price. Beyond that, the surplus is sent back by itself.</p>
          </Disclosure>
        </div>
      </Stack>
    </Card>
  );
}

import { Form, Link, useNavigation } from "@remix-run/react";
import { AddressChoice } from "~/components/addresses/address-choice";
import { useLocale } from "~/components/locale/use-locale";
import { useServerClock } from "~/components/quote/use-server-clock";
import { Wide } from "~/components/shell/arrangements";
import { paths, withParams } from "~/lib/paths";
import { toQuotePath } from "~/lib/quote-path";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { CountdownRing } from "~/ui/countdown-ring";
import { Stack } from "~/ui/layout";
import { LiveRegion } from "~/ui/live-region";
import { Note } from "~/ui/note";
import { VisuallyHidden } from "~/ui/visually-hidden";
import type { QuoteResult } from "./act.server";
import type { OfferData } from "./load.server";
import { OfferAmounts } from "./offer-amounts";
import { WhatHappensNext } from "./what-happens-next";

type Props = { data: OfferData; result: QuoteResult | undefined };

/** A price that holds for a minute, and the moment of decision: everything it means, on one card. */
export function OfferScreen({ data, result }: Props) {
  const { quote, rates, delivery, refund, idempotencyKey } = data;
  const { numbers } = useLocale();
  const navigation = useNavigation();
  const nowMs = useServerClock(data.nowMs);
  const leftMs = Date.parse(quote.expires_at) - nowMs;
  const over = quote.status !== "open" || leftMs <= 0;
  const intent = navigation.formData?.get("intent");
  const { source_asset_symbol: source, target_asset_symbol: target } = quote;
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));

  return (
    <Wide>
      {over ? null : (
        <noscript>
          <meta httpEquiv="refresh" content={String(seconds + 1)} />
        </noscript>
      )}
      <Form method="post" action={toQuotePath(quote)} noValidate>
        <Card roomy as="div">
          {/* Enter never adds an address. */}
          <VisuallyHidden>
            <button type="submit" name="intent" value={over ? "fresh" : "lock"} tabIndex={-1} aria-hidden="true">
              {over ? "Get a fresh price" : "Lock this price"}
            </button>
          </VisuallyHidden>
          <input type="hidden" name="key" value={idempotencyKey} />
          <Stack gap={6}>
            <OfferAmounts quote={quote} over={over} numbers={numbers} />
            {over ? (
              <Note tone="waiting" title="This price is over">
                <p>Nothing was promised and nothing is lost. A fresh one takes a second; your addresses stay.</p>
              </Note>
            ) : (
              <Note
                tone={seconds > 10 ? "good" : "waiting"}
                icon={<CountdownRing left={Math.max(0, leftMs)} total={rates.quote_ttl_seconds * 1000} />}
              >
                This price holds for {seconds} second{seconds === 1 ? "" : "s"}
                <noscript>, counted from when this page came</noscript>
              </Note>
            )}
            {result ? <Note tone="danger" title={result.error} live /> : null}
            <AddressChoice
              label={`Your ${target} goes to`}
              name="delivery"
              {...delivery}
              chosen={result?.chosen?.delivery ?? delivery.chosen}
              error={result?.fields?.delivery}
              none={`Where should the ${target} go?`}
            />
            <AddressChoice
              label={`If anything goes wrong, your ${source} comes back to`}
              hint={
                source === "USDT"
                  ? "An address of your own wallet, not that of an exchange you sent from."
                  : "An address of your own wallet: who sent MOB cannot be seen on its chain."
              }
              name="refund"
              {...refund}
              chosen={result?.chosen?.refund ?? refund.chosen}
              error={result?.fields?.refund}
              none={`Where should ${source} come back to, if anything goes wrong?`}
            />
            <LiveRegion>{over ? "This price is over. You can get a fresh one." : ""}</LiveRegion>
            {over ? (
              <Button
                kind="primary"
                size="large"
                full
                name="intent"
                value="fresh"
                pending={intent === "fresh" && "Getting a fresh price…"}
              >
                Get a fresh price
              </Button>
            ) : (
              <Button
                kind="primary"
                size="large"
                full
                name="intent"
                value="lock"
                pending={intent === "lock" && "Locking the price…"}
              >
                Lock this price
              </Button>
            )}
            <p className={text.small}>
              <Link
                prefetch="intent"
                to={withParams(paths.direction(source), {
                  amount: quote.source_amount,
                  delivery: delivery.chosen,
                  refund: refund.chosen,
                })}
              >
                Change the amount
              </Link>
            </p>
          </Stack>
        </Card>
      </Form>
      <WhatHappensNext quote={quote} rates={rates} />
    </Wide>
  );
}

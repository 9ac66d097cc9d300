import { Form } from "@remix-run/react";
import { FirstSwapSteps } from "~/components/first-swap/first-swap-steps";
import { useLocale } from "~/components/locale/use-locale";
import { RefusalNote } from "~/components/results/refusal-note";
import { Wide } from "~/components/shell/layouts";
import { formatDuration } from "~/lib/durations";
import { toRefused } from "~/lib/form-result";
import { formatShort } from "~/lib/shown-amount";
import { useIsSending } from "~/loaded-data/use-is-sending";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { CountdownRing } from "~/ui/countdown-ring";
import { DefaultSubmit } from "~/ui/default-submit";
import { Row, Stack } from "~/ui/layout";
import { LiveRegion } from "~/ui/live-region";
import { Note } from "~/ui/note";
import { useErrorFocus } from "~/ui/use-error-focus";
import type { QuoteRefusal, QuoteResult } from "../action.server";
import { Dated } from "../dated";
import type { OpenQuoteData } from "../loader.server";
import * as styles from "../quote.css";
import { useJustChanged } from "../use-just-changed";
import { useServerClock } from "../use-server-clock";
import { AddressChoice } from "./address-choice";
import { PriceChange } from "./price-change";
import { QuoteAmounts } from "./quote-amounts";
import { useRenewal } from "./use-renewal";
import { WhatHappensNext } from "./what-happens-next";

type Props = { data: OpenQuoteData; result: QuoteResult | undefined };

/** A quote that has not been locked yet: its price, the addresses, and what happens next. */
export function QuoteScreen({ data, result }: Props) {
  const { quote, previousAmount, isFirst, rates, idempotencyKey, payoutsWaitUntil } = data;
  const { numbers } = useLocale();
  const nowMs = useServerClock(data.nowMs);
  const refused = toRefused(result);
  const form = useErrorFocus(refused);
  const leftMs = Date.parse(quote.expires_at) - nowMs;
  const isOver = quote.status !== "open" || leftMs <= 0;
  const payoutDelayMs = payoutsWaitUntil === null ? 0 : Date.parse(payoutsWaitUntil) - nowMs;
  const isRenewing = useRenewal(form, { id: quote.id, isOver });
  const isExpired = isOver && !isRenewing;
  const isSending = useIsSending();
  const isLocking = isSending({ intent: "lock" });
  const isNew = useJustChanged(String(quote.id));
  const state = { isExpired, isLocking, isRenewing, isNew };
  return (
    <>
      {isExpired ? null : (
        <noscript>
          <meta httpEquiv="refresh" content={String(toSeconds(leftMs) + 1)} />
        </noscript>
      )}
      {isFirst ? (
        <div className={styles.steps}>
          <FirstSwapSteps now="swap" />
        </div>
      ) : null}
      <Wide>
        {/* Posts to the page's own URL, which names the addresses that were chosen before. */}
        <Form method="post" noValidate ref={form} replace>
          <Card roomy as="div" className={styles.card}>
            {/* So that Enter never adds an address. */}
            <DefaultSubmit name="intent" value={isOver ? "renew" : "lock"} disabled={isLocking || isRenewing || isNew}>
              {isExpired ? "Get a new price" : "Lock this price"}
            </DefaultSubmit>
            <input type="hidden" name="key" value={idempotencyKey} />
            <Stack gap={6}>
              <QuoteAmounts quote={quote} rates={rates} isExpired={isExpired} numbers={numbers} />
              {isExpired ? (
                <Note tone="waiting" title="This price has expired">
                  <p>Nothing was locked and no money has moved. Get a new price. We've kept your addresses.</p>
                </Note>
              ) : null}
              <LiveRegion visible>
                {previousAmount === null || isExpired ? null : (
                  <PriceChange quote={quote} previousAmount={previousAmount} numbers={numbers} />
                )}
              </LiveRegion>
              {payoutsWaitUntil !== null && payoutDelayMs > 0 ? (
                <Dated title={`Payout in ${formatDuration(payoutDelayMs)}`} prefix="On" at={payoutsWaitUntil}>
                  Your account was recovered recently, so the payout of this swap is delayed. The price you lock stays
                  the same.
                </Dated>
              ) : null}
              <AddressChoices data={data} refused={refused} />
              <LiveRegion>{isExpired ? "This price has expired. You can get a new one." : ""}</LiveRegion>
              <Row>
                <Button
                  size="small"
                  name="intent"
                  value="change-amount"
                  pending={isSending({ intent: "change-amount" }) && "Opening…"}
                >
                  Change the amount
                </Button>
              </Row>
              <LockBar {...state} data={data} leftMs={leftMs} refused={refused} />
            </Stack>
          </Card>
        </Form>
        <WhatHappensNext quote={quote} rates={rates} />
      </Wide>
    </>
  );
}

const toSeconds = (ms: number): number => Math.max(0, Math.ceil(ms / 1000));

type State = { isExpired: boolean; isLocking: boolean; isRenewing: boolean; isNew: boolean };

type AddressChoicesProps = { data: OpenQuoteData; refused: QuoteRefusal | undefined };

/** Where the payout goes, and where a refund would go. */
function AddressChoices({ data: { quote, delivery, refund }, refused }: AddressChoicesProps) {
  const { source_asset_symbol: source, target_asset_symbol: target } = quote;
  return (
    <>
      <AddressChoice
        label={`Your ${target} goes to`}
        name="delivery"
        {...delivery}
        chosen={refused?.chosen?.delivery ?? delivery.chosen}
        error={refused?.fields?.delivery}
        none={`Where should we send your ${target}?`}
      />
      <AddressChoice
        label={`If something goes wrong, refund ${source} to`}
        hint={
          source === "USDT"
            ? "Use an address in your own wallet. An exchange's address works only if the exchange accepts deposits to it."
            : "Use an address in your own wallet. MobileCoin payments don't show their sender, so we can't refund you without it."
        }
        name="refund"
        {...refund}
        chosen={refused?.chosen?.refund ?? refund.chosen}
        error={refused?.fields?.refund}
        none={`Where should we refund your ${source} if something goes wrong?`}
      />
    </>
  );
}

type LockBarProps = State & { data: OpenQuoteData; leftMs: number; refused: QuoteRefusal | undefined };

/** The time left, why the price was not locked, what the customer receives, and the button that locks or renews it. */
function LockBar({ data: { quote, previousAmount, rates }, leftMs, refused, ...state }: LockBarProps) {
  const { numbers } = useLocale();
  const { isExpired, isRenewing } = state;
  return (
    <div className={styles.bar}>
      {isExpired ? null : <TimeLeft leftMs={leftMs} totalMs={rates.quote_ttl_seconds * 1000} />}
      {refused?.error && !isRenewing ? (
        <div className={styles.error}>
          <RefusalNote result={refused} />
        </div>
      ) : null}
      {isExpired ? null : (
        // The amounts above say the same.
        <p className={styles.receive} aria-hidden="true">
          {previousAmount === null ? "You receive" : "You now receive"}
          <span className={styles.received}>
            {`${formatShort(quote.target_amount, numbers)} ${quote.target_asset_symbol}`}
          </span>
        </p>
      )}
      <LockButton {...state} />
    </div>
  );
}

function TimeLeft({ leftMs, totalMs }: { leftMs: number; totalMs: number }) {
  const seconds = toSeconds(leftMs);
  return (
    <div className={seconds > 10 ? styles.time : `${styles.time} ${styles.shortTime}`}>
      <CountdownRing left={Math.max(0, leftMs)} total={totalMs} />
      <p>
        <span>{`This price is valid for ${seconds} second${seconds === 1 ? "" : "s"}`}</span>
        <noscript> from when this page loaded</noscript>
      </p>
    </div>
  );
}

function LockButton({ isExpired, isLocking, isRenewing, isNew }: State) {
  return (
    <Button
      kind="primary"
      size="large"
      className={styles.submit}
      name="intent"
      value={isExpired ? "renew" : "lock"}
      aria-disabled={isNew && !isExpired}
      pending={(isLocking && "Locking the price…") || (isRenewing && "Getting a new price…")}
    >
      {isExpired ? "Get a new price" : "Lock this price"}
    </Button>
  );
}

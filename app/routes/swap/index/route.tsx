import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import type { DeliveryAddress, KycStatus, Order, Quote } from "~/api/contract";
import { useLocale } from "~/components/locale/use-locale";
import { SwapAgain } from "~/components/order/swap-again";
import { PriceCalculator } from "~/components/price/price-calculator";
import { PauseNote } from "~/components/price/price-notes";
import { useLiveRates } from "~/components/price/use-live-rates";
import { Hero, KeyFigures } from "~/components/shell/layouts";
import { listOpenVersions } from "~/content/consent.server";
import { readPauseReason } from "~/exchange-binding/pause-reason.server";
import { type AssetSymbol, assetSymbols, isAssetSymbol, otherAsset } from "~/lib/assets";
import {
  type Calculation,
  firstCalculation,
  readCalculatedPath,
  readCalculatorForm,
  toCalculatedPath,
} from "~/lib/calculation";
import { formatBps } from "~/lib/format-bps";
import type { NumberStyle } from "~/lib/number-style";
import { isOpen } from "~/lib/order-states";
import { paths, withParams } from "~/lib/paths";
import { toQuotePath } from "~/lib/quote-path";
import { readLocale } from "~/lib/read-locale.server";
import { formatMoney, formatRate } from "~/lib/shown-amount";
import { toSparkline } from "~/lib/sparkline";
import { useRouteContext } from "~/loaded-data/route-context";
import { useIsSending } from "~/loaded-data/use-is-sending";
import { cachedLoader } from "~/query-cache/cached-loader";
import { revalidationPolicy } from "~/query-cache/revalidation-policy";
import { requireVisited, withGuard } from "~/session/guards.server";
import { redirectTo, unwrapOrThrow } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";
import { text } from "~/styles/text.css";
import { toAddressOptions } from "~/swaps/saved-address";
import { Button, ButtonLink } from "~/ui/button";
import { Card } from "~/ui/card";
import { Row, Stack } from "~/ui/layout";
import { LinkRow } from "~/ui/link-row";
import { Note } from "~/ui/note";
import { VisuallyHidden } from "~/ui/visually-hidden";
import { ChangedDocuments } from "./changed-documents";
import * as styles from "./swap-index.css";
import { SwapLine } from "./swap-line";

const shownOrders = 5;
const recentOrders = 3;

/** R06, R07: the start page. Open swaps come first. */
export async function loader(args: LoaderFunctionArgs) {
  const params = new URL(args.request.url).searchParams;
  const { numbers } = readLocale(args.request.headers);
  const wanted = readCalculatorForm(params);
  if (wanted) {
    await requireVisited(args);
    throw await redirectTo(args, toCalculatedPath(wanted, numbers));
  }
  const scope = await getScope(args);
  const { api } = scope;
  const [user, [{ history, ...rates }, active, open, completed, addresses, accepted, pauseReason]] = await withGuard(
    args,
    requireVisited,
    () =>
      Promise.all([
        unwrapOrThrow(api.getRates("24h")),
        unwrapOrThrow(api.getActiveQuote()),
        unwrapOrThrow(api.listOrders({ limit: shownOrders, state: "active" })),
        unwrapOrThrow(api.listOrders({ limit: recentOrders, state: "completed" })),
        unwrapOrThrow(api.listAddresses()),
        // Optional: only the note about changed documents needs it.
        api.listConsents().catch(() => []),
        readPauseReason(scope),
      ]),
  );
  return {
    user,
    nowMs: Date.now(),
    rates,
    pauseReason,
    chart: toSparkline(history),
    calculation: readFlipped(params, numbers),
    /** The addresses for a swap of each asset. */
    suggested: { USDT: suggest(addresses, "USDT"), MOB: suggest(addresses, "MOB") },
    openQuote: active?.status === "open" ? active : null,
    // Servers that do not support the filter return all swaps.
    orders: open.items.filter(({ status }) => isOpen(status)),
    recent: completed.items.filter(({ status }) => status === "completed"),
    addressCount: addresses.length,
    changedDocuments: accepted.length > 0 ? listOpenVersions(accepted) : [],
  };
}

function suggest(addresses: readonly DeliveryAddress[], source: AssetSymbol) {
  const unasked = { delivery: null, refund: null, added: null };
  const { delivery, refund } = toAddressOptions(addresses, { source, target: otherAsset(source) }, unasked);
  return { delivery: delivery.chosen, refund: refund.chosen };
}

export const shouldRevalidate = revalidationPolicy;

export const clientLoader = cachedLoader("routes/swap/index/route", "activeQuote", "swaps", "deliveryAddress");

export const meta: MetaFunction = () => [{ title: "Swap · Antelope" }];

/** The calculator's state in the URL, after its direction was switched. */
function toFlippedPath({ source, text: amount }: Calculation): string {
  return withParams(paths.swap, { from: source, send: amount });
}

function readFlipped(params: URLSearchParams, numbers: NumberStyle): Calculation {
  const from = params.get("from");
  if (!isAssetSymbol(from)) return firstCalculation;
  return (
    readCalculatedPath(toCalculatedPath({ source: from, text: params.get("send") ?? "" }, numbers), numbers) ??
    firstCalculation
  );
}

export default function Swap() {
  const data = useLoaderData<typeof loader>();
  const { nowMs, chart, calculation, suggested, openQuote, orders, recent, addressCount } = data;
  const rates = useLiveRates(data.rates);
  // The layout loads the user more often than this page's data, but does not have one if its call failed.
  const user = useRouteContext().user ?? data.user;
  const { numbers } = useLocale();
  const isSending = useIsSending();
  const { delivery, refund } = suggested[calculation.source];
  const kyc = user.kyc_status;
  const quoteWith = kyc === "approved" && user.is_active && delivery && refund ? { delivery, refund } : undefined;
  const rate = rates.rates === null ? null : formatRate(rates.rates.MOB_USDT, numbers);
  return (
    <Hero
      title="USDT and MOB, one leap apart."
      lede="One price, locked while you pay. We pay out to your own wallet or, if we can't, refund you."
      more={
        <KeyFigures
          figures={[
            { value: rate === null ? "unavailable" : `${rate} USDT`, name: "for 1 MOB right now" },
            {
              value: formatBps(rates.fee_bps, numbers),
              name: "usual fee",
            },
            { value: `${Math.round(rates.lock_ttl_seconds / 60)} min`, name: "to pay at the locked price" },
          ]}
        />
      }
    >
      <Stack gap={4}>
        {user.is_active ? null : (
          <Note tone="danger" title="This account is not active">
            <p>You can't start new swaps. If you have already paid for one, we complete it or refund it.</p>
          </Note>
        )}
        <ChangedDocuments versions={data.changedDocuments} />
        {openQuote || orders.length > 0 ? <OpenSwaps quote={openQuote} orders={orders} nowMs={nowMs} /> : null}
        <PauseNote reason={data.pauseReason} />
        <Card>
          <Stack gap={4}>
            <PriceCalculator
              key={`${calculation.source} ${calculation.text}`}
              title="How much do you want to swap?"
              calculation={calculation}
              rates={rates}
              chart={chart}
              action={paths.swap}
              toPath={toFlippedPath}
              quoteWith={quoteWith}
            >
              <Button
                kind="primary"
                size="large"
                full
                disabled={rates.rates === null}
                pending={quoteWith && isSending({ intent: "quote", ...quoteWith }) && "Getting your price…"}
              >
                {quoteWith ? "Get exact price" : continueTexts[kyc]}
              </Button>
            </PriceCalculator>
            {kyc === "approved" ? null : <VerificationNote status={kyc} hasButton={rates.rates !== null} />}
            {recent.length > 0 ? <RecentSwaps orders={recent} nowMs={nowMs} /> : null}
            <Row justify="between">
              <LinkRow label={quoteWith ? "Choose other addresses:" : "Choose addresses:"}>
                {assetSymbols.map((symbol) => (
                  <Link key={symbol} to={paths.direction(symbol)} prefetch="intent">
                    {symbol} to {otherAsset(symbol)}
                    <VisuallyHidden>, with addresses of your choice</VisuallyHidden>
                  </Link>
                ))}
              </LinkRow>
              <Link to={paths.deliveryAddresses()} prefetch="intent" className={text.small}>
                Your addresses{addressCount === 0 ? "" : ` (${addressCount})`}
              </Link>
            </Row>
          </Stack>
        </Card>
      </Stack>
    </Hero>
  );
}

/** A link to each swap in progress, and to a price that is not locked yet. */
function OpenSwaps({ quote, orders, nowMs }: { quote: Quote | null; orders: Order[]; nowMs: number }) {
  const { numbers } = useLocale();
  return (
    <Card>
      <Stack gap={3}>
        <h2 className={text.heading}>In progress</h2>
        <ul className={styles.lines}>
          {quote ? (
            <li>
              <Link to={toQuotePath(quote)} prefetch="intent" className={styles.line}>
                <span className={styles.lineName}>
                  {formatMoney(quote.source_amount, quote.source_asset_symbol, numbers)} to {quote.target_asset_symbol}
                </span>
                <span className={`${text.small} ${text.muted}`}>Price not locked yet</span>
              </Link>
            </li>
          ) : null}
          {orders.map((order) => (
            <li key={order.id}>
              <SwapLine order={order} nowMs={nowMs} className={styles.line} nameClassName={styles.lineName} />
            </li>
          ))}
        </ul>
      </Stack>
    </Card>
  );
}

const toVerification = "Continue to verification";

/**
 * The label of the calculator's button. Until the customer is verified, the button leads to /kyc and keeps the amount.
 */
const continueTexts: Record<KycStatus, string> = {
  approved: "Continue",
  pending: "Check your verification",
  not_started: toVerification,
  rejected: toVerification,
  action_required: toVerification,
};

type VerificationNoteProps = {
  status: Exclude<KycStatus, "approved">;
  /** Whether the calculator's button works. */
  hasButton: boolean;
};

function VerificationNote({ status, hasButton }: VerificationNoteProps) {
  const { title, next } = verificationNotes[status];
  return (
    <Note
      tone={status === "pending" ? "waiting" : "info"}
      title={title}
      action={
        hasButton ? null : (
          <ButtonLink to={paths.kyc()} size="small">
            {continueTexts[status]}
          </ButtonLink>
        )
      }
    >
      <p>{next}</p>
    </Note>
  );
}

const toCorrect = {
  title: "Correct your details",
  next: "We couldn't verify your identity with the details you sent.",
};

const verificationNotes = {
  not_started: {
    title: "Verify your identity first",
    next: "It usually takes a minute, and you only do it once. You need it to get an exact price.",
  },
  pending: {
    title: "We're reviewing your details",
    next: "There is nothing you need to do. We'll e-mail you when it's done. Then you can swap.",
  },
  rejected: toCorrect,
  action_required: toCorrect,
};

/** Completed swaps, each with a link to its page and a button to repeat it. */
function RecentSwaps({ orders, nowMs }: { orders: Order[]; nowMs: number }) {
  return (
    <section aria-labelledby="recent">
      <h3 id="recent" className={text.strong}>
        Your recent swaps
      </h3>
      <ul className={styles.recent}>
        {orders.map((order) => (
          <li key={order.id} className={styles.recentLine}>
            <SwapLine order={order} nowMs={nowMs} className={styles.recentSwap} nameClassName={styles.lineName} />
            <SwapAgain order={order} kind="quiet" size="small" />
          </li>
        ))}
      </ul>
    </section>
  );
}

import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { Coin } from "~/components/brand/coin";
import { useLocale } from "~/components/locale/use-locale";
import { Hero, KeyFigures } from "~/components/shell/layouts";
import { formatBps } from "~/lib/format-bps";
import { isFinal } from "~/lib/order-states";
import { paths } from "~/lib/paths";
import { toQuotePath } from "~/lib/quote-path";
import { formatMoney, formatRate } from "~/lib/shown-amount";
import { cachedLoader } from "~/query-cache/cached-loader";
import { revalidationPolicy } from "~/query-cache/revalidation-policy";
import { requireVisited } from "~/session/guards.server";
import { unwrapOrThrow } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";
import { text } from "~/styles/text.css";
import { ButtonLink } from "~/ui/button";
import { Card } from "~/ui/card";
import { Icon } from "~/ui/icon";
import { Row, Stack } from "~/ui/layout";
import { Note } from "~/ui/note";
import * as styles from "./swap-index.css";
import { SwapLine } from "./swap-line";

const shownOrders = 5;

/** R06, R07: the start page. Open swaps come first. */
export async function loader(args: LoaderFunctionArgs) {
  const user = await requireVisited(args);
  const { api } = await getScope(args);
  const [{ history: _, ...rates }, active, orders, addresses] = await Promise.all([
    unwrapOrThrow(api.getRates("1h")),
    unwrapOrThrow(api.getActiveQuote()),
    unwrapOrThrow(api.listOrders({ limit: 20 })),
    unwrapOrThrow(api.listAddresses()),
  ]);
  return {
    kyc: user.kyc_status,
    isActive: user.is_active,
    rates,
    openQuote: active?.status === "open" ? active : null,
    orders: orders.items.filter(({ status }) => !isFinal(status) && status !== "expired").slice(0, shownOrders),
    addressCount: addresses.length,
  };
}

export const shouldRevalidate = revalidationPolicy;

export const clientLoader = cachedLoader("routes/swap/index/route", "activeQuote", "swaps", "deliveryAddress");

export const meta: MetaFunction = () => [{ title: "Swap · Antelope" }];

const directions = [
  { source: "USDT", target: "MOB", summary: "From an Ethereum wallet to Signal" },
  { source: "MOB", target: "USDT", summary: "From Signal to an Ethereum wallet" },
] as const;

export default function Swap() {
  const { kyc, isActive, rates, openQuote, orders, addressCount } = useLoaderData<typeof loader>();
  const { numbers } = useLocale();
  const rate = rates.rates === null ? null : formatRate(rates.rates.MOB_USDT, numbers);
  return (
    <Hero
      title="Dollars and Signal, one leap apart."
      lede="One price, locked while you pay. We pay out to your own wallet and, if anything goes wrong, refund you."
      more={
        <KeyFigures
          facts={[
            { value: rate === null ? "unavailable" : `${rate} USDT`, name: "for 1 MOB right now" },
            {
              value: formatBps(rates.fee_bps, numbers),
              name: "fee, no hidden costs",
            },
            { value: `${Math.round(rates.lock_ttl_seconds / 60)} min`, name: "to pay at the locked price" },
          ]}
        />
      }
    >
      <Stack gap={4}>
        {isActive ? null : (
          <Note tone="danger" title="This account is not active">
            <p>You can't start new swaps. Swaps in progress continue.</p>
          </Note>
        )}
        {openQuote || orders.length > 0 ? (
          <Card>
            <Stack gap={3}>
              <h2 className={text.heading}>Continue</h2>
              <ul className={styles.lines}>
                {openQuote ? (
                  <li>
                    <Link to={toQuotePath(openQuote)} prefetch="intent" className={styles.line}>
                      <span className={styles.lineName}>
                        {formatMoney(openQuote.source_amount, openQuote.source_asset_symbol, numbers)} to{" "}
                        {openQuote.target_asset_symbol}
                      </span>
                      <span className={`${text.small} ${text.muted}`}>Price not locked yet</span>
                    </Link>
                  </li>
                ) : null}
                {orders.map((order) => (
                  <li key={order.id}>
                    <SwapLine order={order} className={styles.line} nameClassName={styles.lineName} />
                  </li>
                ))}
              </ul>
            </Stack>
          </Card>
        ) : null}
        <Card>
          <Stack gap={4}>
            <h2 className={text.heading}>What do you want to swap?</h2>
            <div className={styles.directions}>
              {directions.map(({ source, target, summary }) => (
                <Link key={source} to={paths.direction(source)} prefetch="intent" className={styles.direction}>
                  <span className={styles.coins}>
                    <Coin asset={source} />
                    <Coin asset={target} />
                  </span>
                  <span className={styles.directionText}>
                    <span className={styles.directionName}>
                      {source} to {target}
                    </span>
                    <span className={`${text.small} ${text.muted}`}>{summary}</span>
                  </span>
                  <span className={styles.arrow}>
                    <Icon name="chevron" />
                  </span>
                </Link>
              ))}
            </div>
            {kyc === "approved" ? null : (
              <Note
                tone={kyc === "pending" ? "waiting" : "info"}
                title={kyc === "pending" ? "We're reviewing your verification" : "Verify your identity first"}
                action={
                  <ButtonLink to={paths.kyc()} kind={kyc === "pending" ? "secondary" : "primary"} size="small">
                    {kyc === "pending" ? "Check the status" : "Verify my identity"}
                  </ButtonLink>
                }
              >
                <p>It takes about a minute, and you only do it once. You need it to lock a price.</p>
              </Note>
            )}
            <Row justify="between">
              <span className={`${text.small} ${text.muted}`}>
                {addressCount === 0
                  ? "No saved addresses yet. We ask for one when you need it."
                  : `${addressCount} saved address${addressCount === 1 ? "" : "es"}`}
              </span>
              <Link to={paths.deliveryAddresses()} prefetch="intent" className={text.small}>
                Your addresses
              </Link>
            </Row>
          </Stack>
        </Card>
      </Stack>
    </Hero>
  );
}

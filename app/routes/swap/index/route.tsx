import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { Coin } from "~/components/brand/coin";
import { useLocale } from "~/components/locale/use-locale";
import { SwapLine } from "~/components/order/swap-line";
import { Facts, Hero } from "~/components/shell/arrangements";
import { formatDecimal } from "~/lib/money";
import { formatDecimalText } from "~/lib/number-style";
import { isFinal } from "~/lib/order-states";
import { paths } from "~/lib/paths";
import { toQuotePath } from "~/lib/quote-path";
import { showMoney, toRoughRate } from "~/lib/shown-amount";
import { throughCache } from "~/session/client-cache";
import { requireVisited } from "~/session/guards.server";
import { orRaise } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";
import { whenItMayHaveChanged } from "~/session/should-revalidate";
import { text } from "~/styles/text.css";
import { ButtonLink } from "~/ui/button";
import { Card } from "~/ui/card";
import { Icon } from "~/ui/icon";
import { Row, Stack } from "~/ui/layout";
import { Note } from "~/ui/note";
import * as styles from "./swap-index.css";

const shownOrders = 5;

/** R06, R07: the start. What is under way comes first. */
export async function loader(args: LoaderFunctionArgs) {
  const user = await requireVisited(args);
  const { api } = await getScope(args);
  const [{ history: _, ...rates }, active, orders, addresses] = await Promise.all([
    orRaise(api.getRates("1h")),
    orRaise(api.getActiveQuote()),
    orRaise(api.listOrders({ limit: 20 })),
    orRaise(api.listAddresses()),
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

export const shouldRevalidate = whenItMayHaveChanged;

export const clientLoader = throughCache("routes/swap/index/route", "activeQuote", "swaps", "deliveryAddress");

export const meta: MetaFunction = () => [{ title: "Swap · Antelope" }];

const directions = [
  { source: "USDT", target: "MOB", words: "From an Ethereum wallet to Signal" },
  { source: "MOB", target: "USDT", words: "From Signal to an Ethereum wallet" },
] as const;

export default function Swap() {
  const { kyc, isActive, rates, openQuote, orders, addressCount } = useLoaderData<typeof loader>();
  const { numbers } = useLocale();
  const rate = rates.rates === null ? null : formatDecimalText(toRoughRate(rates.rates.MOB_USDT), numbers);
  return (
    <Hero
      title="Dollars and Signal, one leap apart."
      lede="One price, locked while you pay. Paid out to your own wallet, and if anything goes wrong, back to your own wallet."
      more={
        <Facts
          facts={[
            { value: rate === null ? "not known" : `${rate} USDT`, name: "for 1 MOB, now" },
            {
              value: `${formatDecimalText(formatDecimal(BigInt(rates.fee_bps), 2), numbers)}\u00a0%`,
              name: "fee, nothing hidden",
            },
            { value: `${Math.round(rates.lock_ttl_seconds / 60)} min`, name: "to pay at the price you locked" },
          ]}
        />
      }
    >
      <Stack gap={4}>
        {isActive ? null : (
          <Note tone="danger" title="This account is not active">
            <p>New swaps cannot be made with it. Swaps under way go on.</p>
          </Note>
        )}
        {openQuote || orders.length > 0 ? (
          <Card>
            <Stack gap={3}>
              <h2 className={text.heading}>Go on with</h2>
              <ul className={styles.lines}>
                {openQuote ? (
                  <li>
                    <Link to={toQuotePath(openQuote)} prefetch="intent" className={styles.line}>
                      <span className={styles.lineName}>
                        {showMoney(openQuote.source_amount, openQuote.source_asset_symbol, numbers)} to{" "}
                        {openQuote.target_asset_symbol}
                      </span>
                      <span className={`${text.small} ${text.muted}`}>A price, still open for a moment</span>
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
            <div className={styles.ways}>
              {directions.map(({ source, target, words }) => (
                <Link key={source} to={paths.direction(source)} prefetch="intent" className={styles.way}>
                  <span className={styles.coins}>
                    <Coin asset={source} />
                    <Coin asset={target} />
                  </span>
                  <span className={styles.wayWords}>
                    <span className={styles.wayName}>
                      {source} to {target}
                    </span>
                    <span className={`${text.small} ${text.muted}`}>{words}</span>
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
                title={kyc === "pending" ? "We are looking at your verification" : "First: who are you?"}
                action={
                  <ButtonLink to={paths.kyc()} kind={kyc === "pending" ? "secondary" : "primary"} size="small">
                    {kyc === "pending" ? "See where it stands" : "Verify my identity"}
                  </ButtonLink>
                }
              >
                <p>It takes a minute, once, and is needed before a price can be locked.</p>
              </Note>
            )}
            <Row justify="between">
              <span className={`${text.small} ${text.muted}`}>
                {addressCount === 0
                  ? "No address saved yet; you are asked when one is needed."
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

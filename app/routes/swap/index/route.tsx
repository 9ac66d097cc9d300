import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useLocale } from "~/components/locale/use-locale";
import { toCalculatorForm, toQuoteForm } from "~/components/price/calculator-form";
import { PriceCalculator } from "~/components/price/price-calculator";
import { PauseNote } from "~/components/price/price-notes";
import { useLiveRates } from "~/components/price/use-live-rates";
import { useTypedCalculation } from "~/components/price/use-typed-calculation";
import { Hero, KeyFigures } from "~/components/shell/layouts";
import { assetSymbols, otherAsset } from "~/lib/assets";
import { toCalculationKey } from "~/lib/calculation";
import { formatBps } from "~/lib/format-bps";
import { paths } from "~/lib/paths";
import { formatRate } from "~/lib/shown-amount";
import { useRouteContext } from "~/loaded-data/route-context";
import { useIsSending } from "~/loaded-data/use-is-sending";
import { cachedLoader } from "~/query-cache/cached-loader";
import { revalidationPolicy } from "~/query-cache/revalidation-policy";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { Row, Stack } from "~/ui/layout";
import { LinkRow } from "~/ui/link-row";
import { Note } from "~/ui/note";
import { VisuallyHidden } from "~/ui/visually-hidden";
import { ChangedDocuments } from "./changed-documents";
import { toFlippedPath } from "./flipped-path";
import { loadStartPage } from "./loader.server";
import { OpenSwaps } from "./open-swaps";
import { RecentSwaps } from "./recent-swaps";
import { continueTexts, VerificationNote } from "./verification-note";

export const loader = (args: LoaderFunctionArgs) => loadStartPage(args);

export const shouldRevalidate = revalidationPolicy;

export const clientLoader = cachedLoader("routes/swap/index/route", ["activeQuote", "swaps", "deliveryAddress"]);

export const meta: MetaFunction = () => [{ title: "Swap · Antelope" }];

export default function Swap() {
  const data = useLoaderData<typeof loader>();
  const { nowMs, chart, calculation, suggested, openQuote, orders, recent, addressCount } = data;
  const rates = useLiveRates(data.rates);
  // The layout loads the user more often than this page's data, but does not have one if its call failed.
  const user = useRouteContext().user ?? data.user;
  const { numbers } = useLocale();
  const isSending = useIsSending();
  const typed = useTypedCalculation(calculation);
  const { source } = calculation;
  const { delivery, refund } = suggested[source];
  const kyc = user.kyc_status;
  const addresses = kyc === "approved" && user.is_active && delivery && refund ? { delivery, refund } : undefined;
  const form = addresses ? toQuoteForm(source, addresses) : toCalculatorForm(paths.swap, source);
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
        {openQuote || orders.length > 0 ? <OpenSwaps quote={openQuote} {...{ orders, rates, nowMs }} /> : null}
        <PauseNote reason={data.pauseReason} />
        <Card>
          <Stack gap={4}>
            <PriceCalculator
              key={toCalculationKey(calculation)}
              title="How much do you want to swap?"
              source={source}
              typed={typed}
              rates={rates}
              chart={chart}
              form={form}
              toPath={toFlippedPath}
            >
              <Button
                kind="primary"
                size="large"
                full
                disabled={rates.rates === null}
                pending={isSending(form.fields) && (addresses ? "Getting your price…" : "Opening…")}
              >
                {addresses ? "Get exact price" : continueTexts[kyc]}
              </Button>
            </PriceCalculator>
            {kyc === "approved" ? null : <VerificationNote status={kyc} hasButton={rates.rates !== null} />}
            {recent.length > 0 ? <RecentSwaps orders={recent} rates={rates} nowMs={nowMs} /> : null}
            <Row justify="between">
              <LinkRow label={addresses ? "Choose other addresses:" : "Choose addresses:"}>
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

import { Form, Link, useNavigation } from "@remix-run/react";
import { useHydrated } from "remix-utils/use-hydrated";
import type { Asset } from "~/api/contract";
import { AddressPick } from "~/components/addresses/address-pick";
import type { SavedAddress } from "~/components/addresses/saved-address";
import { CoinName } from "~/components/brand/coin";
import { useLocale } from "~/components/locale/use-locale";
import { toSwapTimeWords } from "~/lib/durations";
import { type PublishedRates, rateOf, type Side } from "~/lib/indicative-price";
import { formatDecimal, RATE_DECIMALS } from "~/lib/money";
import { formatDecimalText } from "~/lib/number-style";
import { paths, withParams } from "~/lib/paths";
import { toRoughAmount, toRoughRate } from "~/lib/shown-amount";
import { text } from "~/styles/text.css";
import { AmountField } from "~/ui/amount-field";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { DataList } from "~/ui/data-list";
import { Icon } from "~/ui/icon";
import { Row, Stack } from "~/ui/layout";
import { LiveRegion } from "~/ui/live-region";
import { Note } from "~/ui/note";
import { useFirstError } from "~/ui/use-first-error";
import { VisuallyHidden } from "~/ui/visually-hidden";
import { Limits } from "./limits";
import * as styles from "./swap.css";
import { useLiveRates } from "./use-live-rates";
import { type TypedAmounts, useTypedAmounts } from "./use-typed-amounts";

type Choice = { addresses: readonly SavedAddress[]; chosen: string | null };

export type SwapCardProps = {
  sourceAsset: Asset;
  targetAsset: Asset;
  rates: PublishedRates;
  typed: { side: Side; text: string };
  delivery: Choice;
  refund: Choice;
  result:
    | { typed: { side: Side; text: string }; fieldError?: string | undefined; error?: string | undefined }
    | undefined;
};

const networkWords = { ethereum: "on Ethereum", mobilecoin: "on MobileCoin" };

/** One card: amount in, amount out, where it goes, what it costs. A plain form underneath. */
export function SwapCard({
  sourceAsset,
  targetAsset,
  rates: published,
  typed,
  delivery,
  refund,
  result,
}: SwapCardProps) {
  const { numbers } = useLocale();
  const hydrated = useHydrated();
  const navigation = useNavigation();
  const rates = useLiveRates(published);
  const source = sourceAsset.symbol;
  const target = targetAsset.symbol;
  const direction = { source, target };
  const amounts = useTypedAmounts(result?.typed ?? typed, direction, rates, numbers);
  const errors = toErrors(amounts, result, numbers);
  const asking = navigation.formData?.get("intent") === "quote";
  const rate = rateOf(direction, rates);
  const here = paths.direction(source);
  const form = useFirstError(result);

  const field = (side: Side) => ({
    name: side,
    ref: amounts.refs[side],
    value: amounts.texts[side],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => amounts.type(side, event.currentTarget.value),
    maxLength: 64,
    placeholder: "0",
    error: errors[side],
  });

  return (
    <Card>
      <Form method="post" action={here} noValidate ref={form}>
        {/* Enter in a field asks for the price: the first submit button of a form is the one that counts. */}
        <VisuallyHidden>
          <button type="submit" name="intent" value="quote" tabIndex={-1} aria-hidden="true">
            Get this price
          </button>
        </VisuallyHidden>
        <input type="hidden" name="side" value={amounts.side} />
        {hydrated ? null : (
          <>
            <input type="hidden" name="was_source" value={amounts.texts.source} />
            <input type="hidden" name="was_target" value={amounts.texts.target} />
          </>
        )}
        <Stack gap={4}>
          <Row justify="between" align="baseline">
            <h2 className={text.heading}>Swap</h2>
            {rate === null ? null : (
              <span className={`${text.small} ${text.muted}`}>
                1 MOB = {formatDecimalText(toRoughRate(rates.rates?.MOB_USDT ?? "0"), numbers)} USDT
              </span>
            )}
          </Row>
          {result?.error ? (
            <Note tone="danger" title={result.error} live>
              <p>Nothing was made, nothing is lost. What you typed is still here.</p>
            </Note>
          ) : null}
          <div className={styles.legs}>
            <AmountField
              {...field("source")}
              label="You send"
              coin={<CoinName asset={source} />}
              hint={networkWords[sourceAsset.network]}
              aside={<Limits direction={direction} rates={rates} onPick={(amount) => amounts.type("source", amount)} />}
            />
            <Link
              className={styles.flip}
              to={toFlipped(target, amounts)}
              prefetch="intent"
              replace
              preventScrollReset
              aria-label={`Swap the other way round: ${target} to ${source}`}
            >
              <Icon name="flip" />
            </Link>
            <AmountField
              {...field("target")}
              label="You receive, about"
              coin={<CoinName asset={target} />}
              hint={networkWords[targetAsset.network]}
            />
          </div>
          <LiveRegion>
            {amounts.price && !errors.source && !errors.target ? toSpoken(amounts, source, target) : ""}
          </LiveRegion>
          <AddressPick
            label={`Where your ${target} goes`}
            name="delivery"
            {...delivery}
            none={
              target === "MOB"
                ? "Where should the MOB go? Your Signal address."
                : "Where should the USDT go? Your Ethereum address."
            }
          />
          <AddressPick
            label={`If anything goes wrong, ${source} back to`}
            name="refund"
            {...refund}
            none={`Where should ${source} come back to, if anything goes wrong?`}
          />
          <DataList
            rows={[
              {
                key: "rate",
                term: "Rate",
                value:
                  rate === null
                    ? "not known just now"
                    : `1 ${source} = ${formatDecimalText(toRoughRate(formatDecimal(rate, RATE_DECIMALS)), numbers)} ${target}`,
              },
              {
                key: "fee",
                term: `Fee, ${formatDecimalText(formatDecimal(BigInt(rates.fee_bps), 2), numbers)} %`,
                value: amounts.price
                  ? `${formatDecimalText(toRoughAmount(amounts.price.feeUnits, source), numbers, 2)} ${source}`
                  : "—",
              },
              {
                key: "network",
                term: "Network cost of the payout",
                value: "included",
              },
              {
                key: "when",
                term: "Arrives",
                value: `${toSwapTimeWords(sourceAsset.network, rates.confirmations[source])} after you pay`,
              },
            ]}
          />
          {rate === null ? (
            <Note tone="waiting" live>
              There is no trustworthy price right now, so none can be given. This page asks again by itself.
            </Note>
          ) : (
            <p className={`${text.small} ${text.muted}`}>
              A guide at the current rate. The price you get next is exact and holds for {rates.quote_ttl_seconds}{" "}
              seconds.
            </p>
          )}
          <Button
            kind="primary"
            size="large"
            full
            name="intent"
            value="quote"
            pending={asking && "Getting your price…"}
            disabled={rate === null}
          >
            Get this price
          </Button>
        </Stack>
      </Form>
    </Card>
  );
}

/** The same coin keeps its amount; what was sent is received. */
function toFlipped(target: "USDT" | "MOB", { side, input }: TypedAmounts): string {
  return withParams(paths.direction(target), {
    amount: input.kind === "amount" ? input.text : null,
    side: input.kind === "amount" && side === "source" ? "target" : null,
  });
}

function toErrors(
  { side, input, trouble, texts }: TypedAmounts,
  result: SwapCardProps["result"],
  numbers: Parameters<typeof formatDecimalText>[1],
): Partial<Record<Side, string>> {
  if (input.kind === "wrong") return { [side]: input.message };
  if (trouble?.kind === "too-small") {
    return { [side]: `A swap is worth at least ${formatDecimalText(trouble.limitUsdt, numbers)} USDT.` };
  }
  if (trouble?.kind === "too-large") {
    return { [side]: `A swap is worth at most ${formatDecimalText(trouble.limitUsdt, numbers)} USDT.` };
  }
  if (trouble) return { [side]: "The fee would leave nothing to pay out." };
  // What the server refused stands until something else is typed.
  const stands = result?.fieldError && result.typed.side === side && result.typed.text === texts[side];
  return stands ? { [side]: result.fieldError } : {};
}

function toSpoken({ texts }: TypedAmounts, source: string, target: string): string {
  return `${texts.source} ${source} gives about ${texts.target} ${target}`;
}

import { Form, useLocation, useNavigation } from "@remix-run/react";
import { lazy, Suspense, useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import type { Asset, CurrentRates } from "~/api/contract";
import type { SavedAddress } from "~/components/addresses/saved-address";
import { CoinName } from "~/components/brand/coin";
import { useLocale } from "~/components/locale/use-locale";
import { Worth } from "~/components/locale/worth";
import { toAmountErrors } from "~/components/price/amount-errors";
import { toCostRows } from "~/components/price/cost-rows";
import { Legs } from "~/components/price/legs";
import { useAnnouncement } from "~/components/price/use-announcement";
import { useLiveRates } from "~/components/price/use-live-rates";
import { type TypedAmounts, useTypedAmounts } from "~/components/price/use-typed-amounts";
import { assets } from "~/lib/assets";
import type { NumberStyle } from "~/lib/number-style";
import { paths, withParams } from "~/lib/paths";
import type { Side } from "~/lib/price";
import { toPair } from "~/lib/published-rates";
import { formatRate } from "~/lib/shown-amount";
import { text } from "~/styles/text.css";
import { AmountField } from "~/ui/amount-field";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { DataList } from "~/ui/data-list";
import { Row, Stack } from "~/ui/layout";
import { LiveRegion } from "~/ui/live-region";
import { NeedsScripts } from "~/ui/needs-scripts";
import { Note } from "~/ui/note";
import { Spinner } from "~/ui/spinner";
import { useFirstError } from "~/ui/use-first-error";
import { VisuallyHidden } from "~/ui/visually-hidden";
import type { WalletRpc } from "~/wallet/chains";
import { AddressPicker } from "../address-entry/address-picker";
import type { DirectionResult } from "./act.server";
import { Limits } from "./limits";
import * as styles from "./swap-card.css";

type Choice = { addresses: readonly SavedAddress[]; chosen: string | null };

export type SwapCardProps = {
  sourceAsset: Asset;
  targetAsset: Asset;
  rates: CurrentRates;
  typed: { side: Side; text: string };
  delivery: Choice;
  refund: Choice;
  sandbox: boolean;
  walletRpc: WalletRpc;
  ensNames: boolean;
  result: DirectionResult | undefined;
};

const TestAddresses = lazy(() => import("../address-entry/test-addresses"));

const networkHints = { ethereum: "on Ethereum", mobilecoin: "on MobileCoin" };
const networkFee = { key: "network", term: "Network fee for the payout", value: "included" };

/** The swap form: amounts, addresses and costs. It works without JavaScript. */
export function SwapCard({
  sourceAsset,
  targetAsset,
  rates: published,
  typed,
  delivery,
  refund,
  result,
  ...wallets
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
  const [usesTestWallets, setUsesTestWallets] = useState(false);
  const requesting = navigation.formData?.get("intent") === "quote";
  const pair = toPair(direction, rates);
  const costs = toCostRows(source, { pair, price: amounts.price, rates }, numbers);
  // With the search params, because another URL resets the form.
  const here = paths.direction(source) + useLocation().search;
  const form = useFirstError(result);
  const receive = amounts.price && !errors.source && !errors.target ? amounts.texts.target : "";
  const announcement = useAnnouncement(amounts, direction, receive);

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
    <Card className={styles.card}>
      <Form method="post" action={here} noValidate ref={form}>
        {/* Pressing Enter uses the first submit button of the form, so this one has to come first. */}
        <VisuallyHidden>
          <button type="submit" name="intent" value="quote" tabIndex={-1} aria-hidden="true" disabled={requesting}>
            Get exact price
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
            {rates.rates === null ? null : (
              <span className={`${text.small} ${text.muted}`}>
                1 MOB = {formatRate(rates.rates.MOB_USDT, numbers)} USDT
              </span>
            )}
          </Row>
          {result?.error ? (
            <Note tone="danger" title={result.error} live>
              <p>No swap was created and no money has moved. Your amounts are still here.</p>
            </Note>
          ) : null}
          <Legs
            source={
              <AmountField
                {...field("source")}
                label="You send"
                coin={<CoinName asset={source} />}
                hint={
                  <>
                    {networkHints[sourceAsset.network]}
                    <Worth separator=" · " amount={amounts.price?.sourceAmount ?? 0n} asset={source} pair={pair} />
                  </>
                }
                aside={
                  <Limits direction={direction} rates={rates} onPick={(amount) => amounts.type("source", amount)} />
                }
              />
            }
            target={
              <AmountField
                {...field("target")}
                label="You receive about"
                coin={<CoinName asset={target} />}
                hint={
                  <>
                    {networkHints[targetAsset.network]}
                    <Worth separator=" · " amount={amounts.price?.targetAmount ?? 0n} asset={target} pair={pair} />
                  </>
                }
              />
            }
            flipTo={toFlipped(target, amounts)}
            flipLabel={`Switch direction: ${target} to ${source}`}
          />
          <LiveRegion>{announcement}</LiveRegion>
          {wallets.sandbox && delivery.addresses.length === 0 && refund.addresses.length === 0 ? (
            usesTestWallets ? (
              <Suspense fallback={<Spinner>Opening the wallets…</Spinner>}>
                <TestAddresses
                  rpc={wallets.walletRpc}
                  form={form}
                  names={
                    target === "MOB"
                      ? { MOB: "new_delivery", ETH: "new_refund" }
                      : { MOB: "new_refund", ETH: "new_delivery" }
                  }
                />
              </Suspense>
            ) : (
              <NeedsScripts>
                <Button type="button" onClick={() => setUsesTestWallets(true)}>
                  Use the sandbox's test wallets
                </Button>
              </NeedsScripts>
            )
          ) : null}
          <AddressPicker
            label={`Where your ${target} goes`}
            name="delivery"
            type={assets[target].addressType}
            {...delivery}
            chosen={result?.chosen.delivery ?? delivery.chosen}
            {...result?.addresses?.delivery}
            {...wallets}
            result={result}
          />
          <AddressPicker
            label={`If something goes wrong, refund ${source} to`}
            name="refund"
            type={assets[source].addressType}
            {...refund}
            chosen={result?.chosen.refund ?? refund.chosen}
            {...result?.addresses?.refund}
            {...wallets}
            result={result}
          />
          <DataList rows={[costs.rate, costs.fee, networkFee, costs.arrival]} />
          {pair === null ? (
            <Note tone="waiting" live>
              We can't get a reliable price right now. This page keeps checking automatically.
            </Note>
          ) : (
            <p className={`${text.small} ${text.muted}`}>
              {costs.feeExplanation ? `${costs.feeExplanation} ` : null}An estimate at the current rate. The next page
              shows an exact price, valid for {rates.quote_ttl_seconds} seconds.
            </p>
          )}
          <div className={styles.bar}>
            {receive && (
              // The field above says the same.
              <p className={styles.receive} aria-hidden="true">
                You receive about
                <span className={styles.amount}>
                  {receive} {target}
                </span>
              </p>
            )}
            <Button
              kind="primary"
              size="large"
              className={styles.submit}
              name="intent"
              value="quote"
              pending={requesting && "Getting your price…"}
              disabled={pair === null}
            >
              Get exact price
            </Button>
          </div>
        </Stack>
      </Form>
    </Card>
  );
}

/** The other direction, with the same amount of the same coin. */
function toFlipped(target: "USDT" | "MOB", { side, input }: TypedAmounts): string {
  return withParams(paths.direction(target), {
    amount: input.kind === "amount" ? input.text : null,
    side: input.kind === "amount" && side === "source" ? "target" : null,
  });
}

function toErrors(amounts: TypedAmounts, result: SwapCardProps["result"], numbers: NumberStyle) {
  const errors = toAmountErrors(amounts, numbers);
  const { side, texts } = amounts;
  // The server's error applies until the visitor types something else.
  const isUnchanged = result?.typed.side === side && result.typed.text === texts[side];
  return errors[side] === undefined && isUnchanged && result.fieldError ? { [side]: result.fieldError } : errors;
}

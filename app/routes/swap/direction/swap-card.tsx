import { Form, useLocation } from "@remix-run/react";
import { useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import type { CurrentRates } from "~/api/contract";
import { saveInHistoryEntry } from "~/browser/save-in-history-entry";
import { useKeepTyped } from "~/browser/use-keep-typed";
import { CoinName } from "~/components/brand/coin";
import { useLocale } from "~/components/locale/use-locale";
import { Worth } from "~/components/locale/worth";
import { toCostRows } from "~/components/price/cost-rows";
import { networkFeeRow } from "~/components/price/fee-rows";
import { Legs } from "~/components/price/legs";
import { NoPriceNote } from "~/components/price/price-notes";
import { useLiveRates } from "~/components/price/use-live-rates";
import { type SwapAmounts, useSwapAmounts } from "~/components/price/use-swap-amounts";
import { RefusalNote } from "~/components/results/refusal-note";
import { type Asset, type AssetSymbol, assets } from "~/lib/assets";
import { paths } from "~/lib/paths";
import type { Side, Typed } from "~/lib/price";
import { formatRate } from "~/lib/shown-amount";
import { useHasSandbox } from "~/loaded-data/root-data";
import { useIsSending } from "~/loaded-data/use-is-sending";
import { text } from "~/styles/text.css";
import type { AddressName, AddressOptions } from "~/swaps/saved-address";
import { AmountField } from "~/ui/amount-field";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { DataList } from "~/ui/data-list";
import { DefaultSubmit } from "~/ui/default-submit";
import { Row, Stack } from "~/ui/layout";
import { LiveRegion } from "~/ui/live-region";
import { NeedsScripts } from "~/ui/needs-scripts";
import { onDemand } from "~/ui/on-demand";
import { useErrorFocus } from "~/ui/use-error-focus";
import type { WalletRpc } from "~/wallet/chains";
import { AddressPicker } from "../address-entry/address-picker";
import type { AddressSettings } from "../address-entry/address-settings.server";
import type { DirectionResult } from "./action.server";
import { Limits } from "./limits";
import * as styles from "./swap-card.css";

export type SwapCardProps = Record<AddressName, AddressOptions> & {
  sourceAsset: Asset;
  targetAsset: Asset;
  rates: CurrentRates;
  typed: Typed;
  settings: AddressSettings;
  result: DirectionResult | undefined;
};

const TestAddresses = onDemand(() => import("../address-entry/test-addresses"), "Opening the wallets…");

const networkHints = { ethereum: "on Ethereum", mobilecoin: "on MobileCoin" };

/** The swap form: amounts, addresses and costs. It works without JavaScript. */
export function SwapCard(props: SwapCardProps) {
  const { sourceAsset, targetAsset, delivery, refund, settings, result } = props;
  const hasSandbox = useHasSandbox();
  const { symbol: source } = sourceAsset;
  const { symbol: target } = targetAsset;
  const rates = useLiveRates(props.rates);
  const amounts = useSwapAmounts(useState(result?.typed ?? props.typed), { source, target }, rates, result);
  const { pair, receive } = amounts;
  const { numbers } = useLocale();
  const hydrated = useHydrated();
  const isSending = useIsSending();
  const requesting = isSending({ intent: "quote" });
  const costs = toCostRows(source, { pair, price: amounts.price, rates }, numbers);
  // With the search params, because another URL resets the form.
  const here = paths.direction(source) + useLocation().search;
  const form = useErrorFocus(result);

  function keep() {
    const sent = new FormData(form.current ?? undefined);
    const chosen = (name: AddressName) => String(sent.get(name) ?? "") || null;
    const { side, input } = amounts;
    saveInHistoryEntry(
      paths.direction(source, {
        amount: input.kind === "amount" ? input.text : null,
        side: side === "target" ? side : null,
        delivery: chosen("delivery"),
        refund: chosen("refund"),
      }),
    );
  }
  const [{ onInput }, keepNow] = useKeepTyped(keep);

  return (
    <Card className={styles.card}>
      <Form method="post" action={here} onInput={onInput} onBlur={keepNow} onSubmit={keepNow} noValidate ref={form}>
        <DefaultSubmit name="intent" value="quote" disabled={requesting}>
          Get exact price
        </DefaultSubmit>
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
          <RefusalNote result={result} />
          {pair === null ? <NoPriceNote /> : null}
          <AmountLegs {...{ sourceAsset, targetAsset, rates, amounts }} />
          <LiveRegion>{amounts.announcement || amounts.error}</LiveRegion>
          {hasSandbox && delivery.addresses.length === 0 && refund.addresses.length === 0 ? (
            <TestWalletAddresses target={target} rpc={settings.walletRpc} form={form} />
          ) : null}
          <AddressPickers {...props} />
          <DataList rows={[costs.rate, costs.fee, networkFeeRow, costs.arrival]} />
          {pair === null ? null : (
            <p className={`${text.small} ${text.muted}`}>
              {costs.feeExplanation ? `${costs.feeExplanation} ` : null}An estimate at the current rate. The next page
              shows an exact price, valid for {rates.quote_ttl_seconds} seconds.
            </p>
          )}
          <SubmitBar receive={receive && `${receive} ${target}`} requesting={requesting} disabled={pair === null} />
        </Stack>
      </Form>
    </Card>
  );
}

/** The two amounts, and the link to the other direction. */
function AmountLegs({
  sourceAsset,
  targetAsset,
  rates,
  amounts,
}: Pick<SwapCardProps, "sourceAsset" | "targetAsset" | "rates"> & { amounts: SwapAmounts }) {
  const { side: typedSide, input } = amounts;
  const direction = { source: sourceAsset.symbol, target: targetAsset.symbol };
  const field = (side: Side, { symbol, network }: Asset, amount = 0n) => ({
    name: side,
    ref: amounts.refs[side],
    value: amounts.texts[side],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => amounts.type(side, event.currentTarget.value),
    maxLength: 64,
    placeholder: "0",
    error: side === typedSide ? amounts.error : undefined,
    coin: <CoinName asset={symbol} />,
    hint: (
      <>
        {networkHints[network]}
        <Worth separator=" · " amount={amount} asset={symbol} pair={amounts.pair} />
      </>
    ),
  });
  return (
    <Legs
      source={
        <AmountField
          {...field("source", sourceAsset, amounts.price?.sourceAmount)}
          label="You send"
          aside={<Limits direction={direction} rates={rates} onPick={(amount) => amounts.type("source", amount)} />}
        />
      }
      target={<AmountField {...field("target", targetAsset, amounts.price?.targetAmount)} label="You receive about" />}
      direction={direction}
      // The same amount of the same coin.
      flipTo={paths.direction(
        direction.target,
        input.kind === "amount" ? { amount: input.text, side: typedSide === "source" ? "target" : null } : {},
      )}
    />
  );
}

/** Fills in addresses of the sandbox's test wallets, for visitors who have not saved any. */
function TestWalletAddresses({
  target,
  ...wallets
}: {
  target: AssetSymbol;
  rpc: WalletRpc;
  form: React.RefObject<HTMLFormElement>;
}) {
  const [isOpen, setIsOpen] = useState(false);
  if (!isOpen) {
    return (
      <NeedsScripts>
        <Button type="button" onClick={() => setIsOpen(true)}>
          Use the sandbox's test wallets
        </Button>
      </NeedsScripts>
    );
  }
  const names =
    target === "MOB" ? { MOB: "new_delivery", ETH: "new_refund" } : { MOB: "new_refund", ETH: "new_delivery" };
  return <TestAddresses {...wallets} names={names} />;
}

/** Where the payout goes, and where a refund would go. */
function AddressPickers(props: SwapCardProps) {
  const { delivery, refund, settings, result } = props;
  const source = props.sourceAsset.symbol;
  const target = props.targetAsset.symbol;
  const both = { settings, result };
  return (
    <>
      <AddressPicker
        label={`Where your ${target} goes`}
        name="delivery"
        type={assets[target].addressType}
        {...delivery}
        chosen={result?.chosen.delivery ?? delivery.chosen}
        {...result?.addresses.delivery}
        {...both}
      />
      <AddressPicker
        label={`If something goes wrong, refund ${source} to`}
        name="refund"
        type={assets[source].addressType}
        {...refund}
        chosen={result?.chosen.refund ?? refund.chosen}
        {...result?.addresses.refund}
        {...both}
      />
    </>
  );
}

/** The button that requests a price, with the amount to receive. */
function SubmitBar({ receive, requesting, disabled }: { receive: string; requesting: boolean; disabled: boolean }) {
  return (
    <div className={styles.bar}>
      {receive && (
        // The field above says the same.
        <p className={styles.receive} aria-hidden="true">
          You receive about
          <span className={styles.amount}>{receive}</span>
        </p>
      )}
      <Button
        kind="primary"
        size="large"
        className={styles.submit}
        name="intent"
        value="quote"
        pending={requesting && "Getting your price…"}
        disabled={disabled}
      >
        Get exact price
      </Button>
    </div>
  );
}

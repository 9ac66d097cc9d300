/** Explains a fee: a share of the amount or, for small amounts, the cost of the payout. */
import { formatBps } from "./format-bps";
import { bpsCeil, formatAmount, mulDivCeil, type Pair } from "./money";
import { formatDecimalText, type NumberStyle } from "./number-style";
import { type Price, type PriceTerms, toPayoutCostInSource } from "./price";

type FeeText = {
  /** "Fee", or "Minimum fee" if the payout costs more than the configured share. */
  name: string;
  /** The fee as a share of the amount: "0.5%". */
  percent: string;
  /** For a minimum fee: the amount from which the share applies. */
  explanation: string | null;
};

/** @param price a price at the pair's rate */
export function describeFee(
  { sourceAmount, feeAmount }: Pick<Price, "sourceAmount" | "feeAmount">,
  pair: Pair,
  terms: Pick<PriceTerms, "feeBps" | "payoutCost">,
  style: NumberStyle,
): FeeText {
  const percent = formatBps(toShownBps(feeAmount, sourceAmount), style);
  if (feeAmount <= bpsCeil(sourceAmount, terms.feeBps)) return { name: "Fee", percent, explanation: null };
  const share = formatBps(terms.feeBps, style);
  const from = terms.feeBps === 0 ? "" : ` For ${formatFrom(pair, terms, style)} or more, it is ${share}.`;
  return {
    name: "Minimum fee",
    percent,
    explanation: `Our fee covers at least the network fee for the payout.${from}`,
  };
}

/** To two digits: hundredths of a percent below 1%, tenths above. */
function toShownBps(fee: bigint, source: bigint): number {
  if (source === 0n) return 0;
  const bps = Number((fee * 10_000n + source / 2n) / source);
  return bps < 100 ? bps : Math.round(bps / 10) * 10;
}

/** The amount from which the share is more than the payout's cost, rounded up. */
function formatFrom(pair: Pair, terms: Pick<PriceTerms, "feeBps" | "payoutCost">, style: NumberStyle): string {
  const limit = mulDivCeil(toPayoutCostInSource(pair, terms), 10_000n, BigInt(terms.feeBps));
  const [whole = "0", fraction] = formatAmount(limit, pair.source).split(".");
  const rounded = fraction === undefined ? whole : String(BigInt(whole) + 1n);
  return `${formatDecimalText(rounded, style)} ${pair.source}`;
}

import { maxBigint, minBigint } from "../../../lib/bigint";
import { mulDivCeil } from "../../../lib/money";
import type { EthereumHeads } from "./heads";
import type { EthereumNodes } from "./nodes";
import { reachedBy } from "./votes";

/** The gas limit is 125% of what the transfer is estimated to need. */
const gasLimitPercent = 125n;
/** Above this, an estimate counts only if a majority of the nodes reaches it. */
const maxLoneEstimate = 150_000n;
/** The most gas that a transfer of USDT uses: for a receiver who does not hold USDT yet. */
export const transferGas = 65_000n;
/**
 * The gas that our wallet must be able to pay for. More than `transferGas`, because nodes require a balance that covers
 * a payment's gas limit, which is at least 125% of it.
 */
export const minGasReserve = 100_000n;
/** Gas may rise until a payment is sent, so payments are priced at 150% of what they cost now. */
const costPercent = 150n;
/** Costs are rounded up to cents, so that they do not change with every block. */
const costStep = 10_000n;
const weiPerEther = 10n ** 18n;
/** Replacements raise both fees by 12.5%; nodes require at least 10% (geth's txpool.pricebump). */
const feeBumpPermille = 1125n;
const minFeeBumpPermille = 1100n;
/**
 * The lowest tip to offer, in wei per gas: 0.001 gwei, below which geth by default does not include a transaction. Its
 * pool refuses one without a tip.
 */
const minTip = 1_000_000n;
/** Without a refusal, a payment's fee is not raised above this many times what gas costs now. */
const maxTimesPrice = 4n;

/** wei per gas. */
export type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };

/** What gas costs in the newest block, in wei per gas. */
export type GasPrice = { baseFee: bigint; tip: bigint };

/** The gas price that a majority of the nodes reports. The tip is at least `minTip`, even if they suggest none. */
export async function readGasPrice(nodes: EthereumNodes, heads: EthereumHeads): Promise<GasPrice> {
  const [baseFee, tip] = await Promise.all([
    nodes.reach(async (head) => head.baseFeePerGas, heads),
    nodes.reach(({ node }) => node.client.estimateMaxPriorityFeePerGas(), heads),
  ]);
  return { baseFee, tip: maxBigint(tip, minTip) };
}

/**
 * The gas limit of a payment: 125% of what a majority of the nodes estimates, or of a single node's higher estimate up
 * to 150,000, and never less than for a receiver without USDT: the receiver may have moved theirs before our transfer
 * is included. Unused gas is not charged, but a payment with too little gas is included without effect.
 */
export function chooseGasLimit(estimates: bigint[], quorum: number): bigint {
  const agreed = reachedBy(quorum, estimates) ?? 0n;
  const estimate = estimates.filter((one) => one <= maxLoneEstimate).reduce(maxBigint, maxBigint(agreed, transferGas));
  return (estimate * gasLimitPercent) / 100n;
}

/**
 * The fees of a new payment, at most `feeLimit`. Twice the base fee covers at least five full blocks in a row: EIP-1559
 * raises it by at most an eighth per block.
 */
export function chooseFees({ baseFee, tip }: GasPrice, feeLimit: bigint): Fees {
  return { maxFeePerGas: minBigint(baseFee * 2n + tip, feeLimit), maxPriorityFeePerGas: tip };
}

/**
 * Fees that replace a transaction in every pool: the suggested ones, but at least an eighth above the old ones
 * (decimal strings), and never above the limit. Null if the limit is too close to the old fee to replace it.
 * `refused`: the old one is not in any pool, so if only its tip can be raised, that is enough.
 */
export function chooseReplacementFees(
  raw: { maxFeePerGas: string; maxPriorityFeePerGas: string },
  suggested: Fees,
  feeLimit: bigint,
  { refused = false } = {},
): Fees | null {
  const old = { fee: BigInt(raw.maxFeePerGas), tip: BigInt(raw.maxPriorityFeePerGas) };
  const raised = maxBigint(suggested.maxFeePerGas, raise(old.fee));
  // The last raise goes up to the limit: after a smaller one, the limit would be too close for another.
  const fee = raise(raised, minFeeBumpPermille) > feeLimit ? feeLimit : raised;
  const tip = minBigint(maxBigint(suggested.maxPriorityFeePerGas, raise(old.tip)), fee);
  // The tip is never above the fee, so if the fee can be raised by this much, the tip can be too.
  if (fee >= raise(old.fee, minFeeBumpPermille)) return { maxFeePerGas: fee, maxPriorityFeePerGas: tip };
  const isTipTooLow = suggested.maxPriorityFeePerGas >= raise(old.tip) && tip > old.tip && old.fee <= fee;
  return refused && isTipTooLow ? { maxFeePerGas: fee, maxPriorityFeePerGas: tip } : null;
}

/**
 * The limit to which the fee of a payment is raised while no node has refused it. If a payment offers four times the
 * price of gas (twice what a new one offers) and at least the tip that the nodes suggest, its fee is not the reason why
 * it waits: the nodes may not relay it. Raising the fee further would only make the payment more expensive when they
 * do. A payment with a lower tip may still be raised up to the limit: it may have been signed while gas cost more and
 * tips were lower.
 */
export function limitRaise(
  raw: { maxPriorityFeePerGas: string },
  { baseFee, tip }: GasPrice,
  feeLimit: bigint,
): bigint {
  if (BigInt(raw.maxPriorityFeePerGas) < tip) return feeLimit;
  return minBigint(feeLimit, (baseFee + tip) * maxTimesPrice);
}

/**
 * What one payment costs at this price, with a margin, in micro-USDT; see `WalletState.paymentCost`.
 * `etherPrice` is in micro-USDT per ether, `feeLimit` in wei per gas.
 */
export function toPaymentCost(
  { baseFee, tip }: GasPrice,
  { etherPrice, feeLimit }: { etherPrice: bigint; feeLimit: bigint },
): bigint {
  const perGas = minBigint(baseFee + tip, feeLimit);
  const cost = mulDivCeil(transferGas * perGas * costPercent, etherPrice, weiPerEther * 100n);
  return mulDivCeil(cost, 1n, costStep) * costStep;
}

function raise(fee: bigint, permille = feeBumpPermille): bigint {
  return mulDivCeil(fee, permille, 1000n);
}

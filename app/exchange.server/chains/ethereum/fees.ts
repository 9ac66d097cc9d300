import { maxBigint, minBigint } from "../../../lib/bigint";
import { mulDivCeil } from "../../../lib/money";
import type { EthereumHead } from "./nodes";

/** What a transfer of USDT uses at most: its receiver has none yet. */
const transferGas = 65_000n;
/** Gas may rise until a payment is sent, so payments are priced at 150% of what they cost now. */
const costPercent = 150n;
/** Costs are rounded up to cents, so that they do not change with every block. */
const costStep = 10_000n;
const weiPerEther = 10n ** 18n;
/** Replacements raise both fees by 12.5%; nodes require at least 10% (geth's txpool.pricebump). */
const feeBumpPermille = 1125n;
const minFeeBumpPermille = 1100n;

/** wei per gas. */
export type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };

/** Twice the base fee covers at least five full blocks in a row: EIP-1559 raises it by at most an eighth per block. */
export async function chooseFees(head: EthereumHead): Promise<Fees> {
  const tip = await head.node.client.estimateMaxPriorityFeePerGas();
  return { maxFeePerGas: head.baseFeePerGas * 2n + tip, maxPriorityFeePerGas: tip };
}

/**
 * Fees that replace a transaction in every pool: those suggested, at least an eighth above the old ones
 * (decimal strings), and never above the limit. Null if the limit is too close to the old fee to replace it.
 */
export function chooseReplacementFees(
  raw: { maxFeePerGas: string; maxPriorityFeePerGas: string },
  suggested: Fees,
  feeLimit: bigint,
): Fees | null {
  const old = { fee: BigInt(raw.maxFeePerGas), tip: BigInt(raw.maxPriorityFeePerGas) };
  const fee = minBigint(maxBigint(suggested.maxFeePerGas, raise(old.fee)), feeLimit);
  const tip = minBigint(maxBigint(suggested.maxPriorityFeePerGas, raise(old.tip)), fee);
  if (fee < raise(old.fee, minFeeBumpPermille) || tip < raise(old.tip, minFeeBumpPermille)) return null;
  return { maxFeePerGas: fee, maxPriorityFeePerGas: tip };
}

/**
 * What one payment costs after this head, with a margin, in micro-USDT; see `ChainGateway.getPaymentCost`.
 * `etherPrice` is in micro-USDT per ether, `feeLimit` in wei per gas.
 */
export async function readPaymentCost(
  head: EthereumHead,
  { etherPrice, feeLimit }: { etherPrice: bigint; feeLimit: bigint },
): Promise<bigint> {
  const tip = await head.node.client.estimateMaxPriorityFeePerGas();
  const perGas = minBigint(head.baseFeePerGas + tip, feeLimit);
  const cost = mulDivCeil(transferGas * perGas * costPercent, etherPrice, weiPerEther * 100n);
  return mulDivCeil(cost, 1n, costStep) * costStep;
}

function raise(fee: bigint, permille = feeBumpPermille): bigint {
  return mulDivCeil(fee, permille, 1000n);
}

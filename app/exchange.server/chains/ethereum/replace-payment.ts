/**
 * Replaces a signed payment by another transaction with its nonce, so that only one of the two can be included: the same
 * payment with a higher fee, or a cancellation (T60).
 */
import { type Hex, parseTransaction } from "viem";
import { maxBigint } from "../../../lib/bigint";
import type { PreparedPayment } from "../gateway";
import { chooseFees, chooseReplacementFees, type GasPrice, limitRaise, readGasPrice } from "./fees";
import type { PayoutWallet } from "./payout-wallet";
import { type Call, parseSignedPayment, type SignedTransaction } from "./signed-payment";

/** The gas of a transaction without data. */
const cancellationGas = 21_000n;
/**
 * A cancellation may pay twice as much for gas as a payment: it uses a third of the gas, and without it a payment that
 * is refused at the highest fee would block its nonce permanently.
 */
const cancellationFeeLimit = (feeLimit: bigint) => feeLimit * 2n;

/**
 * Implements `ChainGateway.prepareCancellation`: signs a zero-value transfer to ourselves with the payment's nonce and a
 * fee that replaces the payment in every pool. Null if the payment has no nonce or was signed by another key.
 * @throws if too few nodes are in sync, or the fee would exceed the limit
 */
export async function prepareCancellation(
  { nodes, address, feeLimit, sign, log }: PayoutWallet,
  payment: PreparedPayment,
): Promise<PreparedPayment | null> {
  const raw = parseSignedPayment(payment);
  const { nonce } = payment;
  if (nonce === null || raw.from !== address) return null;
  const heads = await nodes.readHeads();
  if (!heads.fresh) throw new Error("Too few Ethereum nodes are in sync; the cancellation waits.");
  const price = await readGasPrice(nodes, heads);
  // The limit may have been lowered since the payment was signed, but its nonce must still be freed.
  const limit = cancellationFeeLimit(maxBigint(feeLimit, BigInt(raw.maxFeePerGas)));
  const fees = chooseReplacementFees(raw, chooseFees(price, limit), limit);
  if (!fees) throw new Error("The fee of a cancellation would exceed the configured maximum; it waits.");
  const call = { to: address, data: "0x", gas: cancellationGas, nonce } as const;
  const cancellation = await sign(call, fees, { to: address, amount: "0" });
  log.warn({ hash: payment.hash, cancellation: cancellation.hash, nonce }, "signed the cancellation of a payment");
  return cancellation;
}

/**
 * Implements `ChainGateway.bumpPayment`: signs the same transfer with the same nonce and both fees at least a tenth
 * higher (at the limit, perhaps only the tip, if it was refused), if there is a reason to (`findReasonToRaise`). Null if
 * there is none, or if
 * - its fee has reached the limit: the configured one or, unless `refused`, the one of `limitRaise`
 * - too few nodes are in sync
 * - nothing can replace it (`findReplaceableCall`)
 */
export async function bumpPayment(
  wallet: PayoutWallet,
  payment: PreparedPayment,
  { refused = false } = {},
): Promise<PreparedPayment | null> {
  const { nodes, address, feeLimit, feeBumpAfterMs, sign, log, now } = wallet;
  const raw = parseSignedPayment(payment);
  const heads = await nodes.readHeads();
  if (!heads.fresh) return null;
  const price = await readGasPrice(nodes, heads);
  const ageMs = now() - raw.signedAtMs;
  if (findReasonToRaise(raw, price, { refused, ageMs, feeBumpAfterMs }) === null) return null;
  const next = await nodes.reach(({ node }) => node.client.getTransactionCount({ address, blockTag: "latest" }), heads);
  const signer = { address, chainId: nodes.chain.id };
  const call = findReplaceableCall(raw, { signer, nonce: payment.nonce, next, refused });
  if (call === null) return null;
  const { nonce } = call;
  const highest = call.gas === cancellationGas ? cancellationFeeLimit(feeLimit) : feeLimit;
  const limit = refused ? highest : limitRaise(raw, price, highest);
  const fees = chooseReplacementFees(raw, chooseFees(price, limit), limit, { refused });
  if (!fees) {
    if (limit === highest)
      log.error({ hash: payment.hash, nonce }, "a payment waits: its fee has reached the configured maximum");
    return null;
  }
  const bumped = await sign(call, fees, { to: payment.to, amount: payment.amount });
  log.warn({ previousHash: payment.hash, hash: bumped.hash, nonce }, "raised the fee of a payment");
  return bumped;
}

/**
 * Why the fee of a payment should be raised: a node did not accept it because of its fee (`refused`), it has waited too
 * long, or the base fee has risen above its maximum. Null if none of these applies.
 */
export function findReasonToRaise(
  raw: Pick<SignedTransaction, "maxFeePerGas">,
  { baseFee }: Pick<GasPrice, "baseFee">,
  { refused, ageMs, feeBumpAfterMs }: { refused: boolean; ageMs: number; feeBumpAfterMs: number },
): "refused" | "waited" | "base fee" | null {
  if (refused) return "refused";
  // A time in the future is from a process whose clock was ahead: the new version gets the right one (T61).
  if (ageMs < 0 || ageMs >= feeBumpAfterMs) return "waited";
  return baseFee > BigInt(raw.maxFeePerGas) ? "base fee" : null;
}

type Replacement = {
  signer: { address: `0x${string}`; chainId: number };
  /** The payment's nonce, as it is stored. */
  nonce: number | null;
  /** The signer's next nonce in the newest block. */
  next: number;
  refused: boolean;
};

/**
 * What a payment does, if the signer can replace it. Null if
 * - it was signed by another key or for another chain: it may still be included
 * - its nonce is used or, unless `refused`, is not the next one: a higher fee does not help behind a missing nonce
 */
export function findReplaceableCall(
  raw: { serialized: Hex; from: string },
  { signer, nonce, next, refused }: Replacement,
): Call | null {
  const tx = parseTransaction(raw.serialized);
  const call = { data: tx.data ?? "0x", nonce: tx.nonce ?? 0 };
  if (call.nonce !== nonce || nonce < next || (nonce > next && !refused)) return null;
  if (!tx.to || tx.gas === undefined || tx.chainId !== signer.chainId || raw.from !== signer.address) return null;
  return { ...call, to: tx.to, gas: tx.gas };
}

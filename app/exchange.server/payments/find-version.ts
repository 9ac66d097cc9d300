/**
 * Looks up signed payments on their chain. A payment whose fee was raised exists in several versions with the same nonce,
 * and any of them may be included.
 */
import type { PaymentState, PreparedPayment } from "../chains/gateway";
import type { RunningContext } from "../context";
import type { PaymentRow } from "../db/schema/payments";
import { listSameTransfers } from "./history/unknown-payments";
import { requirePrepared } from "./require-prepared";

/** How many payments are looked up at a time. */
export const paymentsPerLookUp = 8;

/** What identifies a signed payment on its chain, in each of its versions. */
export type SignedPayment = Pick<
  PaymentRow,
  "id" | "asset" | "nonce" | "address" | "amount" | "prepared" | "superseded"
>;

/** A version of a payment and what the chain says about it. */
export type Found = { version: PreparedPayment; state: PaymentState };

/**
 * The version of a payment that is in a block, and the state of the payment. Any version with its nonce may have been
 * included. Earlier versions are checked first, and versions that are missing because a backup was restored are
 * checked last.
 */
export async function findVersion(ctx: RunningContext, payment: SignedPayment): Promise<Found> {
  const current = requirePrepared(payment);
  let last: PaymentState = { kind: "unknown" };
  for (const version of [...payment.superseded, current]) {
    last = await ctx.chains[payment.asset].getPaymentState(version);
    if (last.kind === "in_block" || last.kind === "reverted") return { version, state: last };
  }
  if (last.kind === "unknown" && payment.nonce !== null) return findLostVersion(ctx, payment);
  return { version: current, state: last };
}

/**
 * Like `findVersion`, for a confirmed payment. The version that was in a block is looked up first, because for each of
 * the others, the nodes would search their history for the transaction that used the nonce.
 */
export async function findConfirmedVersion(ctx: RunningContext, payment: PaymentRow): Promise<Found> {
  const current = requirePrepared(payment);
  const hash = payment.hash ?? current.hash;
  const stored = [current, ...payment.superseded].find((version) => version.hash === hash);
  const { getPaymentState } = ctx.chains[payment.asset];
  const state = await (stored ? getPaymentState(stored) : getPaymentState(current, hash));
  if (state.kind === "in_block" && !state.disputed) return { version: stored ?? { ...current, hash }, state };
  return findVersion(ctx, payment);
}

/** Looks for a payment among our wallet's unknown payments: its fee may have been raised after the backup. */
async function findLostVersion(ctx: RunningContext, payment: SignedPayment): Promise<Found> {
  const version = requirePrepared(payment);
  for (const hash of await listSameTransfers(ctx.db, payment)) {
    const state = await ctx.chains[payment.asset].getPaymentState(version, hash);
    if (state.kind === "in_block") return { version: { ...version, hash }, state };
  }
  return { version, state: { kind: "unknown" } };
}

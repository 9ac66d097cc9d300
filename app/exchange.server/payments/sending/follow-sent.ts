import { and, asc, eq, isNotNull, isNull, lte, or } from "drizzle-orm";
import type { AssetSymbol } from "../../../lib/assets";
import { addMs, laterOf, minuteMs } from "../../../lib/durations";
import { mapInBatches } from "../../../lib/map-in-batches";
import { hasAlert } from "../../alerts/alerts";
import type { ExchangeContext, RunningContext } from "../../context";
import { isUnchanged, type PaymentRow, payments } from "../../db/schema/payments";
import { describeError } from "../../describe-error";
import { checkNodes, findPaymentBlock } from "../../operator-advice";
import { lockOrderRow, touchOrder } from "../../orders/transition";
import { type Found, findVersion, paymentsPerLookUp } from "../find-version";
import { alertPayment } from "../parked/park";
import { confirmPayment, replacePayment } from "./outcomes";
import { resendPayment } from "./resend";

/**
 * How many payments with nonces are sent again in a run. Later ones have to wait anyway, and would delay new payments.
 */
const maxResent = 25;
/** How long a sent payment may wait for a block, with the same fee, before an operator is alerted. */
const alertAfterMs = 10 * minuteMs;
/** How long it may wait for a block, even if its fee is raised, before an operator is alerted. */
const alertRaisedAfterMs = 20 * minuteMs;

/**
 * Step 3, sent → confirmed: checks all sent and parked payments of a chain. Replaces payments that certainly had no
 * effect. Payments that are not in a block yet are sent again, or get a higher fee. An operator is alerted to the first
 * one that is not included in a block; the others may be waiting behind it.
 */
export async function followSent(ctx: RunningContext, asset: AssetSymbol): Promise<void> {
  const rows = await ctx.db
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.asset, asset),
        or(eq(payments.status, "sent"), and(eq(payments.status, "prepared"), isNotNull(payments.parkedAt))),
      ),
    )
    .orderBy(asc(payments.nonce), asc(payments.createdAt), asc(payments.id));
  const lookedUp = await mapInBatches(rows, paymentsPerLookUp, async (payment) => ({
    payment,
    found: await findVersion(ctx, payment).catch((error: unknown) => ({ error })),
  }));
  let waiting = 0;
  for (const { payment, found } of lookedUp) {
    const mayResend = payment.nonce === null || waiting < maxResent;
    try {
      if ("error" in found) throw found.error;
      if (!(await followPayment(ctx, payment, { found, mayResend }))) continue;
      // No alert in the run in which it left its block: if the nodes merely disagree, the next run finds it there
      // again.
      if (waiting === 0 && payment.confirmations === 0) await alertIfStuck(ctx, payment);
      waiting += 1;
    } catch (error) {
      // One failure, such as an unreachable node or a rejected posting, must not block the others.
      ctx.log.error({ payment: payment.id, asset, error: describeError(error) }, "a payment could not be followed");
    }
  }
}

/** Whether a payment waits for a block. A parked one does not: its cancellation or its next try decides. */
async function followPayment(
  ctx: RunningContext,
  payment: PaymentRow,
  { found, mayResend }: { found: Found; mayResend: boolean },
): Promise<boolean> {
  switch (found.state.kind) {
    case "in_block":
      await confirmPayment(ctx, payment, found.version, found.state);
      return false;
    case "reverted":
      await replacePayment(ctx, payment, "the chain included it without effect");
      return false;
    case "impossible":
      await replacePayment(ctx, payment, "the chain can no longer accept it");
      return false;
    case "unknown":
      if (payment.confirmations > 0) await recordLeftBlock(ctx, payment);
      if (payment.parkedAt !== null) return false;
      if (mayResend) await resendPayment(ctx, payment);
      return true;
  }
}

/** Records that a payment has left its block: what it will take is in the wallet's balance again. */
async function recordLeftBlock(ctx: ExchangeContext, payment: PaymentRow): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockOrderRow(tx, payment.orderId);
    const at = await ctx.clock.now(tx);
    await tx.update(payments).set({ confirmations: 0, updatedAt: at }).where(isUnchanged(payment));
    await touchOrder(tx, payment.orderId, at);
  });
}

/**
 * Alerts an operator to a payment that was sent long ago, unless its fee was raised recently or it has been parked
 * since it was read.
 */
async function alertIfStuck(ctx: ExchangeContext, payment: PaymentRow): Promise<void> {
  const at = await ctx.clock.now(ctx.db);
  // One of the payment's times is left over from when the database's clock was ahead (T61), so its wait begins now.
  if (laterOf(payment.sentAt, payment.updatedAt) > addMs(at, minuteMs)) {
    await ctx.db.update(payments).set({ sentAt: at, updatedAt: at }).where(isUnchanged(payment));
    return;
  }
  const isOld = or(
    lte(payments.updatedAt, addMs(at, -alertAfterMs)),
    and(lte(payments.sentAt, addMs(at, -alertRaisedAfterMs)), eq(payments.confirmations, 0)),
  );
  const [stuck] = await ctx.db
    .select()
    .from(payments)
    .where(and(isUnchanged(payment), isNull(payments.parkedAt), isOld));
  if (!stuck) return;
  // `handleBroadcastFailure` has already raised an alert about this, with the reason. An alert from before the payment
  // was sent does not count.
  if (await hasAlert(ctx.db, `payment:${stuck.id}`, findPaymentBlock(stuck.asset))) return;
  const reason =
    "it was sent more than ten minutes ago. We keep resending it, and other payments may be waiting behind it.";
  await alertPayment(ctx.db, ctx, stuck, { problem: "is not in a block", reason, action: toStuckAction(stuck), at });
}

/** Names the signer, whose key may be a previous one. */
const toStuckAction = ({ asset, signer, nonce }: PaymentRow): string =>
  asset === "USDT"
    ? `Look up the transaction of ${signer} with nonce ${nonce} in a block explorer. If it is known, wait until gas costs less. If not, use other nodes in ETH_RPC_URLS.`
    : checkNodes(asset);

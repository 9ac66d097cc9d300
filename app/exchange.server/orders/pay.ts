import { and, asc, eq, isNull, lte, max, or, sql } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import { PaymentRefusedError, type PreparedPayment } from "../chains/gateway";
import type { ExchangeContext } from "../context";
import { type Database, lockFor } from "../db/database";
import { describeError } from "../http/error-answers";
import { getSwitchReason, switchOff } from "./acceptance";
import { confirmPayment, payoutFailed, replacePayment } from "./payment-outcomes";
import type { PaymentRow } from "./plan-payments";
import { chainStates, orders, payments } from "./tables";
import { insertEvent, lockOrder, touchOrder } from "./transition";

/** Payments prepared in one run; the next run takes the next. */
const maxPerRun = 25;

/**
 * Moves every outgoing payment of a chain one step on. May run twice and be killed
 * anywhere: what is sent was stored and committed before, only those very bytes are ever
 * sent, and a result that is not known never becomes a new payment (rule 6).
 */
export async function runPayments(x: ExchangeContext, asset: AssetSymbol): Promise<void> {
  await broadcastPrepared(x, asset);
  await followSent(x, asset);
  for (let count = 0; count < maxPerRun; count += 1) {
    const prepared = await prepareNext(x, asset);
    if (!prepared) return;
    await broadcastPrepared(x, asset);
  }
}

/** Step 1: planned → prepared. The signed bytes are in the database when this returns. */
async function prepareNext(x: ExchangeContext, asset: AssetSymbol): Promise<boolean> {
  const gateway = x.chains[asset];
  const outcome = await x.db.transaction(async (tx) => {
    // One preparation a signer at a time: nonces follow each other, and inputs are not chosen twice.
    await lockFor(tx, `signer:${gateway.signer}`);
    if ((await getSwitchReason(tx, "payments")) !== null) return "idle";
    if (await isPreparedUnsent(tx, asset)) return "idle";
    const payment = await nextPlanned(tx, x, asset);
    if (!payment) return "idle";
    const order = await lockOrder(tx, payment.orderId);
    if (order.status === "on_hold") return "idle";
    const at = await x.clock.now(tx);
    const nonce = await nextNonce(tx, x, asset);
    if (nonce === "unexpected") {
      const reason = `The ${asset} signer ${gateway.signer} is at a nonce that this database does not expect. Was a backup restored, or the payout key changed?`;
      if (await switchOff(tx, "payments", reason, at)) x.log.fatal({ asset, signer: gateway.signer }, reason);
      return "idle";
    }
    try {
      const prepared = await gateway.preparePayment({
        paymentId: payment.id,
        to: payment.address,
        amount: payment.amount,
        nonce,
      });
      const stored = await tx
        .update(payments)
        .set({
          status: "prepared",
          signer: gateway.signer,
          nonce: prepared.nonce,
          hash: prepared.hash,
          prepared,
          attempts: payment.attempts + 1,
          lastError: null,
          updatedAt: at,
        })
        .where(and(eq(payments.id, payment.id), eq(payments.status, "planned")))
        .returning({ id: payments.id });
      // Taken back while we waited for the order's lock: what was built is dropped, unsent.
      if (stored.length === 0) return "idle";
      await insertEvent(
        tx,
        order.id,
        { kind: "payment_prepared", data: { payment: payment.id, hash: prepared.hash }, at },
        null,
        null,
      );
      await touchOrder(tx, order.id, at);
      return "prepared";
    } catch (error) {
      return { payment, error };
    }
  });
  if (outcome === "prepared") return true;
  if (outcome === "idle") return false;
  await noteFailure(x, outcome.payment, outcome.error);
  return false;
}

/** Nothing was built. Refused for certain: the payout has failed. Otherwise: again, later. */
async function noteFailure(x: ExchangeContext, payment: PaymentRow, error: unknown): Promise<void> {
  const message = error instanceof Error ? error.message.slice(0, 500) : "unknown";
  x.log.error(
    { payment: payment.id, asset: payment.asset, error: describeError(error) },
    "a payment could not be prepared",
  );
  if (error instanceof PaymentRefusedError && payment.purpose === "payout") {
    await payoutFailed(x, payment, message);
    return;
  }
  const at = await x.clock.now(x.db);
  const waitMs = Math.min(60_000, 1_000 * 2 ** Math.min(payment.attempts, 6));
  await x.db
    .update(payments)
    .set({
      attempts: payment.attempts + 1,
      lastError: message,
      notBefore: new Date(at.getTime() + waitMs),
      updatedAt: at,
    })
    .where(and(eq(payments.id, payment.id), eq(payments.status, "planned")));
}

async function isPreparedUnsent(tx: Database, asset: AssetSymbol): Promise<boolean> {
  const [row] = await tx
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.asset, asset), eq(payments.status, "prepared")))
    .limit(1);
  return row !== undefined;
}

async function nextPlanned(tx: Database, x: ExchangeContext, asset: AssetSymbol): Promise<PaymentRow | null> {
  const now = await x.clock.now(tx);
  const [row] = await tx
    .select({ payment: payments })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .where(
      and(
        eq(payments.asset, asset),
        eq(payments.status, "planned"),
        sql`${orders.status} <> 'on_hold'`,
        or(isNull(payments.notBefore), lte(payments.notBefore, now)),
      ),
    )
    .orderBy(asc(payments.createdAt), asc(payments.id))
    .limit(1);
  return row?.payment ?? null;
}

/**
 * The nonce after the last one we stored; the chain's own for the first payment ever. A
 * chain that is ahead of the database means that somebody else sent from this signer, or
 * that an old backup was restored. A signer that never paid from this database, where
 * another did, is a new key: a wrong guess would leave a gap behind which nothing is ever
 * mined. In both cases nothing more is sent until an operator has looked.
 */
async function nextNonce(tx: Database, x: ExchangeContext, asset: AssetSymbol): Promise<number | null | "unexpected"> {
  const gateway = x.chains[asset];
  const onChain = await gateway.getNextNonce();
  if (onChain === null) return null;
  const [stored] = await tx
    .select({ nonce: max(payments.nonce) })
    .from(payments)
    .where(eq(payments.signer, gateway.signer));
  const [state] = await tx.select().from(chainStates).where(eq(chainStates.asset, asset));
  const last = stored?.nonce ?? null;
  const baseline = state?.baselineNonce ?? null;
  if (last === null) {
    if (baseline !== null) return onChain === baseline ? onChain : "unexpected";
    await tx.update(chainStates).set({ baselineNonce: onChain }).where(eq(chainStates.asset, asset));
    return onChain;
  }
  const expected = Math.max(last + 1, baseline ?? 0);
  return onChain > expected ? "unexpected" : expected;
}

/** Step 2: prepared → sent. The bytes that are stored, and no others, as often as it takes. */
async function broadcastPrepared(x: ExchangeContext, asset: AssetSymbol): Promise<void> {
  const rows = await x.db
    .select()
    .from(payments)
    .where(and(eq(payments.asset, asset), eq(payments.status, "prepared")))
    .orderBy(asc(payments.nonce), asc(payments.createdAt));
  for (const payment of rows) {
    try {
      await x.chains[asset].broadcast(preparedOf(payment));
    } catch (error) {
      // Not known whether it left. It stays as it is; the state below decides, never a new payment.
      x.log.warn({ payment: payment.id, asset, error: describeError(error) }, "a payment may not have been sent");
      await settleUnsent(x, payment);
      continue;
    }
    await x.db.transaction(async (tx) => {
      const at = await x.clock.now(tx);
      const [row] = await tx
        .update(payments)
        .set({ status: "sent", sentAt: at, updatedAt: at })
        .where(and(eq(payments.id, payment.id), eq(payments.status, "prepared")))
        .returning({ id: payments.id });
      if (!row) return;
      await insertEvent(
        tx,
        payment.orderId,
        { kind: "payment_sent", data: { payment: payment.id, hash: payment.hash }, at },
        null,
        null,
      );
      await touchOrder(tx, payment.orderId, at);
    });
  }
}

async function settleUnsent(x: ExchangeContext, payment: PaymentRow): Promise<void> {
  const { state } = await x.chains[payment.asset].getPaymentState(preparedOf(payment));
  if (state === "impossible") await replacePayment(x, payment, "the chain can no longer take it");
  if (state === "in_block") {
    await x.db
      .update(payments)
      .set({ status: "sent" })
      .where(and(eq(payments.id, payment.id), eq(payments.status, "prepared")));
  }
}

/** Step 3: sent → confirmed, or certainly without effect; sent again while it is not in a block. */
async function followSent(x: ExchangeContext, asset: AssetSymbol): Promise<void> {
  const rows = await x.db
    .select()
    .from(payments)
    .where(and(eq(payments.asset, asset), eq(payments.status, "sent")))
    .orderBy(asc(payments.nonce), asc(payments.createdAt));
  for (const payment of rows) {
    try {
      await followOne(x, payment);
    } catch (error) {
      // One that cannot be followed (no node answers, no book to post to) does not keep the others.
      x.log.error({ payment: payment.id, asset, error: describeError(error) }, "a payment could not be followed");
    }
  }
}

async function followOne(x: ExchangeContext, payment: PaymentRow): Promise<void> {
  const gateway = x.chains[payment.asset];
  // Any version of the nonce may be the one that landed: older ones are asked first.
  const versions = [...(payment.superseded as PreparedPayment[]), preparedOf(payment)];
  let last: Awaited<ReturnType<typeof gateway.getPaymentState>> = { state: "unknown" };
  for (const version of versions) {
    last = await gateway.getPaymentState(version);
    if (last.state === "in_block") {
      await confirmPayment(x, payment, version, last.confirmations);
      return;
    }
    if (last.state === "reverted") {
      await replacePayment(x, payment, "the chain took it without effect");
      return;
    }
  }
  if (last.state === "impossible") {
    await replacePayment(x, payment, "the chain can no longer take it");
    return;
  }
  const bumped = await gateway.bumpPayment(preparedOf(payment));
  if (bumped) await storeBump(x, payment, bumped);
  else
    await gateway
      .broadcast(preparedOf(payment))
      .catch((error: unknown) =>
        x.log.warn({ payment: payment.id, error: describeError(error) }, "sent again in vain"),
      );
}

/** A fee bump keeps the nonce and is stored, back in `prepared`, before it is sent. */
async function storeBump(x: ExchangeContext, payment: PaymentRow, bumped: PreparedPayment): Promise<void> {
  const at = await x.clock.now(x.db);
  await x.db
    .update(payments)
    .set({
      status: "prepared",
      prepared: bumped,
      hash: bumped.hash,
      superseded: [...(payment.superseded as PreparedPayment[]), preparedOf(payment)],
      updatedAt: at,
    })
    .where(and(eq(payments.id, payment.id), eq(payments.status, "sent"), eq(payments.hash, payment.hash ?? "")));
}

/** The stored payment as the gateway made it. */
function preparedOf(payment: PaymentRow): PreparedPayment {
  if (payment.prepared === null) throw new Error(`payment ${payment.id} was never prepared`);
  return payment.prepared as PreparedPayment;
}

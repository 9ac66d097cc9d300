import { and, eq, inArray, isNotNull } from "drizzle-orm";
import { deposits } from "~/exchange.server/db/schema/deposits";
import { payments } from "~/exchange.server/db/schema/payments";
import { ratePoints } from "~/exchange.server/db/schema/rates";
import { ExchangeError } from "~/exchange.server/errors";
import { InsufficientBalanceError } from "~/exchange.server/ledger/ledger";
import { decide } from "~/exchange.server/orders/decisions/decide";
import { refreshOffer } from "~/exchange.server/orders/decisions/offers";
import { holdOrder, releaseOrder } from "~/exchange.server/orders/holds/hold";
import { lockQuote } from "~/exchange.server/orders/locking/lock-quote";
import { refundOrder } from "~/exchange.server/orders/payouts-and-refunds/refund";
import { lockOrderRow } from "~/exchange.server/orders/transition";
import { markPlannedPaid } from "~/exchange.server/payments/mark-paid";
import { readdressParked, refundParkedPayout, retryParked } from "~/exchange.server/payments/parked/decide-parked";
import { createQuote } from "~/exchange.server/pricing/quotes";
import { getOffReason } from "~/exchange.server/switches/switches";
import { formatAmount } from "~/lib/money";
import { mayBeMade } from "./backups";
import type { NodeFault, OperatorAction, Step } from "./steps";
import type { Customer, World } from "./world";

export type PlacedOrder = {
  id: string;
  customer: Customer;
  source: "USDT" | "MOB";
  funding: string;
  amount: bigint;
  /**
   * No longer checked: a reorg removed its deposit after a payment was signed, or a restored backup may lack
   * payments of it that were signed or made by hand.
   */
  excused: boolean;
  /** Payments that an operator made by hand, by payment. */
  byHand: { purpose: "payout" | "refund"; amount: bigint }[];
};

/** Something that the exchange must never do, whatever happened before. */
export class Violation extends Error {}

/** A refusal is a valid result. Any other error is a fault of the exchange and ends the history. */
export async function refusable<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ExchangeError || error instanceof InsufficientBalanceError) return null;
    throw error;
  }
}

export async function placeOrder(
  world: World,
  placed: PlacedOrder[],
  step: { source: "USDT" | "MOB"; usdt: number },
): Promise<void> {
  const [ctx] = world.processes;
  await world.refresh();
  const customer = await world.createCustomer();
  const target = step.source === "USDT" ? "MOB" : "USDT";
  const amount = step.source === "USDT" ? BigInt(step.usdt) * 10n ** 6n : BigInt(step.usdt) * 3n * 10n ** 12n;
  const quote = await createQuote(ctx, customer.accountId, {
    source_asset_symbol: step.source,
    target_asset_symbol: target,
    source_amount: formatAmount(amount, step.source),
  });
  await requireFair(world, quote);
  const ids = { USDT: customer.ids.ETH, MOB: customer.ids.MOB };
  const { order } = await lockQuote(ctx, {
    owner: customer,
    quoteId: quote.id,
    request: { delivery_address_id: ids[target], refund_address_id: ids[step.source] },
    idempotencyKey: world.newKey(),
  });
  const funding = order.fundingAddress;
  if (placed.some((other) => other.funding === funding)) throw new Violation(`${funding} was issued to two orders`);
  placed.push({ id: order.id, customer, source: step.source, funding, amount, excused: false, byHand: [] });
}

/**
 * Requires that a price is recent and never gives more than the feed's rate is worth. Only stored rates count: a
 * process may have died after it had read a rate and before it stored it.
 */
async function requireFair(
  { database, feed, processes, now }: World,
  quote: { sourceAsset: string; sourceAmount: bigint; targetAmount: bigint },
): Promise<void> {
  const stored = await database.db.select({ rate: ratePoints.rate, at: ratePoints.at }).from(ratePoints);
  const isStored = (one: { rate: bigint; at: number }) =>
    stored.some(({ rate, at }) => rate === one.rate && at.getTime() === one.at);
  const known = feed.findLast(isStored);
  if (!known || now() - known.at > processes[0].config.rateMaxAgeMs) {
    throw new Violation("a quote was made from a stale rate");
  }
  const [usdt, mob] =
    quote.sourceAsset === "USDT" ? [quote.sourceAmount, quote.targetAmount] : [quote.targetAmount, quote.sourceAmount];
  const worth = (mob * known.rate) / 10n ** 18n;
  const isFair = quote.sourceAsset === "USDT" ? worth <= usdt : usdt <= worth;
  if (!isFair) throw new Violation(`a quote swaps ${usdt} micro-USDT for ${mob} pico-MOB at the rate ${known.rate}`);
}

export async function pay(
  world: World,
  order: PlacedOrder,
  { parts, each }: { parts: number; each: bigint },
): Promise<void> {
  if (each <= 0n) return;
  if (order.source === "MOB") {
    for (let i = 0; i < parts; i += 1) await world.mobilecoin.pay(order.funding, each);
    return;
  }
  const transfers = Array.from({ length: parts }, () => ({ to: order.funding as `0x${string}`, value: each }));
  world.ethereum.transfer(order.customer.eth, transfers);
}

/**
 * If a reorg loses a deposit after a payment that depends on it was signed, the order is no longer checked:
 * only the number of confirmations can limit that risk.
 */
export async function reorg(world: World, placed: PlacedOrder[], step: Step & { kind: "reorg" }): Promise<void> {
  const { db } = world.database;
  const { lose } = step;
  const lost = world.ethereum.reorg(
    step.depth,
    ({ ours }) => lose === "all" || (lose === "ours" ? ours : lose === "customers" ? !ours : false),
  );
  if (lost.length === 0 || lose === "ours") return;
  const rows = await db
    .select({ orderId: deposits.orderId })
    .from(deposits)
    .innerJoin(payments, eq(payments.orderId, deposits.orderId))
    .where(and(inArray(deposits.txHash, lost), inArray(payments.status, ["prepared", "sent", "confirmed"])));
  const signed = new Set(rows.map(({ orderId }) => orderId));
  // A restored database may not know what was signed.
  for (const order of placed) if (signed.has(order.id) || world.restored.has(order.id)) order.excused = true;
}

export async function decideOrder(
  world: World,
  order: PlacedOrder,
  choice: "look" | "accept" | "requote" | "refund",
): Promise<void> {
  const [ctx] = world.processes;
  const { accountId } = order.customer;
  if (choice === "accept" || choice === "refund") {
    await decide(ctx, accountId, order.id, { choice });
    return;
  }
  // Both the price and the wallet must have been read a few minutes ago at most.
  for (const job of ["wallets", "rates"] as const) await world.runJob(0, job);
  const areOff = await areSwapsOff(world);
  const offer = (await refreshOffer(ctx, order.id)) ?? world.offers.get(order.id) ?? null;
  if (!offer) return;
  world.offers.set(order.id, offer);
  if (offer.createdAt.getTime() === world.now()) await requireFair(world, offer);
  if (choice === "look") return;
  const { status } = await decide(ctx, accountId, order.id, { choice, quote_id: offer.id });
  if (areOff && status === "paying_out") throw new Violation(`order ${order.id} got a new price while swaps were off`);
}

async function areSwapsOff({ database: { db } }: World): Promise<boolean> {
  return (await getOffReason(db, "swaps")) !== null || (await getOffReason(db, "payments")) !== null;
}

/** What an operator does to an order, or to its parked payments. */
export async function operate(world: World, order: PlacedOrder, action: OperatorAction): Promise<void> {
  const [ctx] = world.processes;
  const { db } = ctx;
  if (action === "hold")
    await db.transaction((tx) => holdOrder(tx, ctx, order.id, { reason: "An operator checks this order." }));
  if (action === "release") await db.transaction((tx) => releaseOrder(tx, ctx, order.id));
  if (action === "refund") {
    await db.transaction(async (tx) => {
      const row = await lockOrderRow(tx, order.id);
      if (row.status === "on_hold" || row.status === "needs_decision")
        await refundOrder(tx, ctx, row, { by: "operator", at: await ctx.clock.now(tx) });
      else await refundParkedPayout(tx, ctx, row);
    });
  }
  if (action !== "retry" && action !== "readdress" && action !== "mark-paid") return;
  const parked = await db
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, order.id), eq(payments.status, "planned"), isNotNull(payments.parkedAt)));
  for (const { id: paymentId, purpose, amount, asset, address } of parked) {
    if (action === "retry") await db.transaction((tx) => retryParked(tx, ctx, paymentId));
    else if (action === "readdress") {
      const { spare } = order.customer;
      const to = asset === "USDT" ? spare.eth : spare.mob;
      await db.transaction((tx) => readdressParked(tx, ctx, { paymentId, address: to }));
    } else if (!(await mayBeMade(world, { asset, address, amount }))) {
      await db.transaction((tx) => markPlannedPaid(tx, ctx, { paymentId, hash: `by-hand-${paymentId}` }));
      order.byHand.push({ purpose, amount });
    }
  }
}

export function setNodeFault(world: World, step: { node: number; fault: NodeFault }): void {
  const { nodes } = world.ethereum;
  // Only one node at a time may return wrong data or be down; two of the three are always correct.
  for (const { faults } of nodes) {
    faults.down = false;
    faults.altersLogs = false;
    faults.hidesLogs = false;
    faults.deniesReceipts = false;
    faults.refusesTransactions = false;
    faults.isStuck = false;
    if (step.fault === "none") {
      faults.copies = 1;
      faults.lateBlocks = 0;
      faults.refusesGaps = false;
    }
  }
  for (const { faults } of step.node === 3 ? nodes : nodes.slice(step.node, step.node + 1)) {
    if (step.fault === "copies") faults.copies = 3;
    if (step.fault === "late-logs") faults.lateBlocks = 12;
    if (step.fault === "down") faults.down = true;
    if (step.fault === "denies-receipts") faults.deniesReceipts = true;
    if (step.fault === "refuses") faults.refusesTransactions = true;
    if (step.fault === "refuses-gaps") faults.refusesGaps = true;
    if (step.fault === "is-stuck") faults.isStuck = true;
    if (step.fault === "alters-logs") faults.altersLogs = true;
    if (step.fault === "hides-logs") faults.hidesLogs = true;
  }
}

/** The networks refuse what is paid to a customer, or accept it again. */
export function refuse(world: World, { customer }: PlacedOrder, on: boolean): void {
  const { ethereum, mobilecoin } = world;
  if (on) {
    ethereum.refused.add(customer.eth);
    mobilecoin.refused.add(customer.mob);
  } else {
    ethereum.refused.delete(customer.eth);
    mobilecoin.refused.delete(customer.mob);
  }
}

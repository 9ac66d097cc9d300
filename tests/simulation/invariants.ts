import { inArray, like } from "drizzle-orm";
import { alerts } from "~/exchange.server/db/schema/alerts";
import { deposits } from "~/exchange.server/db/schema/deposits";
import { ledgerAccounts } from "~/exchange.server/db/schema/ledger";
import { type OrderRow, orders } from "~/exchange.server/db/schema/orders";
import { type PaymentRow, payments } from "~/exchange.server/db/schema/payments";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { heldFor } from "~/exchange.server/ledger/ledger";
import { listPossibleStates } from "../support/deposit-combinations";
import type { PlacedOrder } from "./actions";
import type { World } from "./world";

type Seen = {
  placed: PlacedOrder;
  row: OrderRow;
  /** From the database. */
  rows: PaymentRow[];
  /** From the simulated chains, and by hand. */
  payouts: bigint[];
  refunds: bigint[];
  received: bigint;
};

const ended = ["completed", "refunded", "cancelled", "expired"];

/** The most that may stay with us because a refund would cost more: 2 USDT, 6 MOB. */
const dust = { USDT: 2_000_000n, MOB: 6n * 10n ** 12n };

/**
 * What must hold after every step: the books balance, no customer was paid more than what was received for the order,
 * no order was paid out twice, customers who may not swap get no payouts, and every deposit is in a possible state.
 */
export async function findFaults(world: World, placed: readonly PlacedOrder[]): Promise<string[]> {
  const { db } = world.database;
  const faults = [...(await checkBooks(db))];
  for (const deposit of await db.select().from(deposits))
    if (listPossibleStates(deposit).length === 0) faults.push(`deposit ${deposit.id} is in no state`);
  for (const { placed: order, row, rows, payouts, refunds, received } of await listOrders(world, placed)) {
    if (payouts.length > 1) faults.push(`order ${row.id} was paid out ${payouts.length} times`);
    if (sum(payouts) > 0n && sum(payouts) !== row.filledTarget && !world.restored.has(row.id)) {
      faults.push(`order ${row.id} was paid ${sum(payouts)} and filled with ${row.filledTarget}`);
    }
    // Only an operator can know what was decided and paid before a backup was restored.
    const isRestored = world.restored.has(row.id);
    const used = sum(refunds) + (payouts.length > 0 && !isRestored ? (row.filledSource ?? 0n) : 0n);
    if (used > received) faults.push(`order ${row.id} received ${received}; its swap and refunds took ${used}`);
    const signedBefore = world.ineligible.get(order.customer.accountId);
    const isSigned = ({ id, purpose, hash, prepared, status }: PaymentRow) =>
      purpose === "payout" &&
      status !== "failed" &&
      hash !== null &&
      prepared !== null &&
      !hash.startsWith("by-hand") &&
      !signedBefore?.has(id);
    if (signedBefore && rows.some(isSigned)) {
      faults.push(`order ${row.id}: a payout was signed while its owner may not swap`);
    }
  }
  return faults;
}

/** Orders that have not ended or were not paid, even though the networks refuse payments only to other customers. */
export async function findDelayed(world: World, placed: readonly PlacedOrder[]): Promise<string[]> {
  const isRefused = ({ customer }: PlacedOrder) => world.ethereum.refused.has(customer.eth);
  return (await listOrders(world, placed))
    .filter(({ placed: order, row, rows, payouts }) => {
      if (isRefused(order) || world.restored.has(row.id) || isParked(rows)) return false;
      return !ended.includes(row.status) || (row.status === "completed" && payouts.length === 0);
    })
    .map(
      ({ row }) => `order ${row.id} is delayed by a payment that the network refuses to another: it is ${row.status}`,
    );
}

/** Its own payment waits for an operator. */
function isParked(rows: PaymentRow[]): boolean {
  return rows.some(({ status, parkedAt }) => parkedAt !== null && (status === "planned" || status === "prepared"));
}

/** Checks what must hold once all faults have ended and days have passed: nothing is lost, all orders have ended. */
export async function findOpenEnds(world: World, placed: readonly PlacedOrder[]): Promise<string[]> {
  const faults: string[] = [];
  const all = await listOrders(world, placed);
  const held = await getHeld(world, all);
  for (const { row, rows, payouts, refunds, received } of all) {
    // After a restored backup, an operator has to find out what the database has lost.
    if (world.restored.has(row.id)) continue;
    if (!ended.includes(row.status)) {
      faults.push(`order ${row.id} cannot end: it is ${row.status}`);
      continue;
    }
    if (row.status === "completed" && sum(payouts) !== row.filledTarget) {
      faults.push(`order ${row.id} is completed, but ${sum(payouts)} of ${row.filledTarget} arrived`);
    }
    const open = rows.filter(({ status, purpose }) => purpose === "refund" && status !== "failed");
    const owed = sum(open.map(({ amount }) => amount));
    if (sum(refunds) !== owed) faults.push(`order ${row.id}: ${sum(refunds)} of ${owed} to refund arrived`);
    const kept = held.get(row.id) ?? 0n;
    const gross = sum(open.map(({ grossAmount }) => grossAmount));
    const accounted = gross + kept + (row.status === "completed" ? (row.filledSource ?? 0n) : 0n);
    if (accounted !== received || kept > dust[row.sourceAsset]) {
      faults.push(`order ${row.id} (${row.status}) received ${received}, accounts for ${accounted} and keeps ${kept}`);
    }
  }
  return [...faults, ...(await findFalseAlerts(world, all))];
}

/** Alerts about payments that have been made. */
async function findFalseAlerts(world: World, all: readonly Seen[]): Promise<string[]> {
  const made = new Set(
    all.flatMap(({ rows }) => rows).flatMap(({ id, status }) => (status === "confirmed" ? [id] : [])),
  );
  const open = await world.database.db.select().from(alerts).where(like(alerts.subject, "payment:%"));
  return open
    .filter(({ subject }) => made.has(subject.slice("payment:".length)))
    .map(({ subject, reason }) => `${subject} is made, but its alert was left: ${reason}`);
}

/** Every order that is not excused, with what the simulated chains say was paid to and for it, in base units. */
async function listOrders(world: World, placed: readonly PlacedOrder[]): Promise<Seen[]> {
  if (placed.length === 0) return [];
  const { db } = world.database;
  const ids = placed.map(({ id }) => id);
  const found = new Map((await db.select().from(orders).where(inArray(orders.id, ids))).map((row) => [row.id, row]));
  const paymentRows = await db.select().from(payments).where(inArray(payments.orderId, ids));
  const ethereum = world.ethereum.listPayments();
  const mobilecoin = world.mobilecoin.listPayments();
  const deposits = world.mobilecoin.listReceived();
  const toValues = (list: { value: bigint }[]) => list.map(({ value }) => value);
  return placed.flatMap((order) => {
    const row = found.get(order.id);
    if (order.excused || !row) return [];
    const { customer, source, funding } = order;
    const byHand = (purpose: "payout" | "refund") =>
      order.byHand.filter((one) => one.purpose === purpose).map(({ amount }) => amount);
    const { eth: otherEth, mob: otherMob } = customer.spare;
    const isTheirs = (to: string) => [customer.eth, otherEth, customer.mob, otherMob].includes(to);
    const usdt = toValues(ethereum.filter(({ from, to }) => from === world.signer && isTheirs(to)));
    const mob = toValues(mobilecoin.filter(({ to }) => isTheirs(to)));
    const received =
      source === "USDT"
        ? ethereum.filter(({ to }) => to === funding)
        : deposits.filter(({ address }) => address === funding);
    return {
      placed: order,
      row,
      rows: paymentRows.filter(({ orderId }) => orderId === order.id),
      payouts: [...(source === "USDT" ? mob : usdt), ...byHand("payout")],
      refunds: [...(source === "USDT" ? usdt : mob), ...byHand("refund")],
      received: sum(toValues(received)),
    };
  });
}

/** What the ledger still holds for each order. */
async function getHeld(world: World, all: readonly Seen[]): Promise<Map<string, bigint>> {
  if (all.length === 0) return new Map();
  const codes = new Map(all.map(({ row }) => [heldFor(row.id), row.id]));
  const rows = await world.database.db
    .select()
    .from(ledgerAccounts)
    .where(inArray(ledgerAccounts.code, [...codes.keys()]));
  return new Map(rows.map(({ code, balance }) => [codes.get(code) ?? "", balance]));
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}

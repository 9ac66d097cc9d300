import { inArray } from "drizzle-orm";
import { orders } from "../../app/exchange.server/db/schema/orders";
import { checkBooks } from "../../app/exchange.server/ledger/check-books";
import type { PlacedOrder } from "./history";
import type { World } from "./world";

type Row = typeof orders.$inferSelect;

type Movements = { payouts: bigint[]; refunds: bigint[]; received: bigint };

/**
 * What must hold after every step: the books balance, no customer was paid more than what
 * was received for the order, and no order was paid out twice.
 */
export async function findFaults(world: World, placed: readonly PlacedOrder[]): Promise<string[]> {
  const faults = [...(await checkBooks(world.database.db))];
  for (const { row, payouts, refunds, received } of await listOrders(world, placed)) {
    if (payouts.length > 1) faults.push(`order ${row.id} was paid out ${payouts.length} times`);
    if (sum(payouts) > 0n && sum(payouts) !== row.filledTarget) {
      faults.push(`order ${row.id} was paid ${sum(payouts)} and filled with ${row.filledTarget}`);
    }
    const used = sum(refunds) + (payouts.length > 0 ? (row.filledSource ?? 0n) : 0n);
    if (used > received) faults.push(`order ${row.id} received ${received}; its swap and refunds took ${used}`);
  }
  return faults;
}

/** What must hold when everything has healed and days have passed: nothing is lost, and every order has ended. */
export async function findOpenEnds(world: World, placed: readonly PlacedOrder[]): Promise<string[]> {
  const faults: string[] = [];
  for (const { row, refunds, received } of await listOrders(world, placed)) {
    if (!["completed", "refunded", "cancelled", "expired"].includes(row.status)) {
      faults.push(`order ${row.id} cannot end: it is ${row.status}`);
      continue;
    }
    const accounted = sum(refunds) + (row.status === "completed" ? (row.filledSource ?? 0n) : 0n);
    if (accounted !== received) {
      faults.push(`order ${row.id} (${row.status}) received ${received} and accounts for ${accounted}`);
    }
  }
  return faults;
}

/** Every order that is not excused, with what the simulated chains say was paid to and for it, in base units. */
async function listOrders(world: World, placed: readonly PlacedOrder[]): Promise<(Movements & { row: Row })[]> {
  const rows = await getRows(world, placed);
  const ethereum = world.ethereum.listPayments();
  const mobilecoin = world.mobilecoin.listPayments();
  const deposits = world.mobilecoin.listReceived();
  const toValues = (payments: { value: bigint }[]) => payments.map(({ value }) => value);
  return placed.flatMap((order) => {
    const row = rows.get(order.id);
    if (order.excused || !row) return [];
    const usdt = toValues(ethereum.filter(({ from, to }) => from === world.signer && to === order.customer.eth));
    const mob = toValues(mobilecoin.filter(({ to }) => to === order.customer.mob));
    return order.source === "USDT"
      ? { row, payouts: mob, refunds: usdt, received: sum(toValues(ethereum.filter(({ to }) => to === order.funding))) }
      : {
          row,
          payouts: usdt,
          refunds: mob,
          received: sum(toValues(deposits.filter(({ address }) => address === order.funding))),
        };
  });
}

async function getRows(world: World, placed: readonly PlacedOrder[]): Promise<Map<string, Row>> {
  if (placed.length === 0) return new Map();
  const ids = placed.map(({ id }) => id);
  const rows = await world.database.db.select().from(orders).where(inArray(orders.id, ids));
  return new Map(rows.map((row) => [row.id, row]));
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}

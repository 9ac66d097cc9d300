import { and, eq, isNotNull, isNull, or } from "drizzle-orm";
import { chainStates } from "~/exchange.server/db/schema/chains";
import { unknownPayments } from "~/exchange.server/db/schema/history";
import { orders } from "~/exchange.server/db/schema/orders";
import { payments } from "~/exchange.server/db/schema/payments";
import { acceptPayment } from "~/exchange.server/payments/history/possible-duplicates";
import { markPlannedPaid } from "~/exchange.server/payments/mark-paid";
import { chooseNonce } from "~/exchange.server/payments/nonce";
import type { AssetSymbol } from "~/lib/assets";
import { type PlacedOrder, refusable } from "./actions";
import type { World } from "./world";

/** Restores the database from an earlier moment; the chains and the wallet keep their current state. */
export async function restore(world: World, placed: readonly PlacedOrder[]): Promise<void> {
  if (!(await world.restoreBackup())) return;
  const known = await world.database.db.select({ id: orders.id }).from(orders);
  const ids = new Set(known.map(({ id }) => id));
  for (const order of placed) {
    world.restored.set(order.id, ids.has(order.id) ? "known" : "forgotten");
    // Only an operator's notes say what was paid by hand.
    if (order.byHand.length > 0) order.excused = true;
  }
  // The reviewer gets each application again, and what customers decided is lost.
  world.ineligible.clear();
  world.offers.clear();
}

/**
 * What an operator does about unknown payments, as after a restored backup (docs/order-lifecycle.md): books payments
 * that the wallet has made for known orders once they are planned, accepts the others, and continues with the chain's
 * nonce. `isLast`: any payment that is still unknown was for an order that no longer accepts payments.
 */
export async function settleRestored(world: World, placed: readonly PlacedOrder[], isLast: boolean): Promise<void> {
  const [known] = await world.database.db.select({ hash: unknownPayments.hash }).from(unknownPayments).limit(1);
  // A failed payment may also take effect after all, because of a reorg.
  if (world.restored.size === 0 && !known) return;
  const [ctx] = world.processes;
  const { db } = ctx;
  const at = new Date(world.now());
  const onChain = await ctx.chains.USDT.getNextNonce();
  if ((await chooseNonce(db, ctx, "USDT", onChain)) === "unexpected") {
    await db.update(chainStates).set({ baselineNonce: onChain }).where(eq(chainStates.asset, "USDT"));
  }
  const isOfKnown = (address: string) =>
    placed.some(({ id, customer: { eth, mob, spare } }) => {
      return world.restored.get(id) !== "forgotten" && [eth, mob, spare.eth, spare.mob].includes(address);
    });
  const open = await db.select().from(unknownPayments).where(isNull(unknownPayments.resolvedAt));
  for (const { hash, asset, address } of open) {
    const [parked] = await db
      .select({ id: payments.id })
      .from(payments)
      .where(and(eq(payments.asset, asset), eq(payments.address, address), isParked))
      .limit(1);
    // Refused while it may be another payment's.
    if (parked)
      await refusable(() =>
        db.transaction((tx) => markPlannedPaid(tx, ctx, { paymentId: parked.id, hash, isForced: true })),
      );
    else if (isLast || !isOfKnown(address)) await acceptPayment(db, hash, at);
  }
}

const isParked = and(eq(payments.status, "planned"), isNotNull(payments.parkedAt));

/** Whether the wallet may have made a parked payment already, so that it must not be made by hand. */
export async function mayBeMade(
  world: World,
  { asset, address, amount }: { asset: AssetSymbol; address: string; amount: bigint },
): Promise<boolean> {
  const [unknown] = await world.database.db
    .select({ hash: unknownPayments.hash })
    .from(unknownPayments)
    .where(
      and(
        eq(unknownPayments.asset, asset),
        isNull(unknownPayments.resolvedAt),
        or(eq(unknownPayments.address, address), eq(unknownPayments.amount, amount)),
      ),
    )
    .limit(1);
  return unknown !== undefined;
}

import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../app/exchange.server/db/open";
import { payments } from "../../../app/exchange.server/db/schema/payments";
import { checkBooks } from "../../../app/exchange.server/ledger/check-books";
import { retryParked } from "../../../app/exchange.server/payments/parked";
import { runPayments } from "../../../app/exchange.server/payments/run-payments";
import { listAlerts } from "../../../app/exchange.server/switches/alerts";
import { getSwitchReason, switchOn } from "../../../app/exchange.server/switches/switches";
import { createOrdersWorld, type OrdersWorld, type User } from "../../support/orders-world";
import { openTestDatabase, testDatabases } from "../../support/test-database";

describe.each(testDatabases)("a reorg that removes a confirmed payout, on %s", (kind) => {
  let database: OpenDatabase;
  let w: OrdersWorld;
  let user: User;

  beforeAll(async () => {
    database = await openTestDatabase(kind);
    w = await createOrdersWorld(database);
  });
  beforeEach(async () => {
    user = await w.createUser();
    await w.tick();
  });
  afterAll(async () => {
    await database.close();
  });

  const paidTo = (address: string) => w.usdt.paid.filter((p) => p.to === address);
  const rowOf = async (orderId: string) => {
    const rows = await w.ctx.db.select().from(payments).where(eq(payments.orderId, orderId));
    return rows.at(-1);
  };
  /** An order whose payout has just got its last confirmation. */
  const complete = async () => {
    const order = await w.lock(user, "MOB", "100");
    w.mob.deposit(order.fundingAddress, 100_000_000_000_000n);
    await w.scan("MOB");
    await runPayments(w.ctx, "USDT");
    w.usdt.mine(2);
    await runPayments(w.ctx, "USDT");
    expect((await w.see(user, order.id)).status).toBe("completed");
    const hash = (await rowOf(order.id))?.hash ?? "";
    return { order, hash };
  };

  it("T50 sends the same bytes again, alerts within 30 seconds, and stops new swaps", async () => {
    const { order, hash } = await complete();
    w.usdt.loseFromChain(hash);
    w.usdt.faults.broadcast = "drop";
    await runPayments(w.ctx, "USDT");
    // Missing for a moment only: one node may lag behind another.
    expect(await getSwitchReason(w.ctx.db, "swaps")).toBeNull();
    w.wait(15_000);
    await runPayments(w.ctx, "USDT");
    expect(await getSwitchReason(w.ctx.db, "swaps")).toContain(hash);
    expect(await listAlerts(w.ctx.db)).toMatchObject([{ orderId: order.id }]);
    w.usdt.faults.broadcast = "ok";
    await runPayments(w.ctx, "USDT");
    await w.settle();
    expect(paidTo(order.deliveryAddress)).toEqual([expect.objectContaining({ hash })]);
    expect(await rowOf(order.id)).toMatchObject({
      status: "confirmed",
      missingSince: null,
      settledAt: expect.any(Date),
    });
    expect(await listAlerts(w.ctx.db)).toEqual([]);
    await switchOn(w.ctx.db, "swaps", new Date());
  });

  it("does not delay later payouts behind the nonce gap", async () => {
    const { order, hash } = await complete();
    w.usdt.loseFromChain(hash);
    user = await w.createUser();
    const later = await complete();
    expect(paidTo(order.deliveryAddress)).toHaveLength(1);
    expect(paidTo(later.order.deliveryAddress)).toHaveLength(1);
  });

  it("T50 owes the payout again if its nonce was used by another transaction, and pays it when an operator decides", async () => {
    const { order, hash } = await complete();
    const { nonce } = (await rowOf(order.id)) ?? {};
    w.usdt.loseFromChain(hash);
    await w.usdt.broadcast({
      to: "somebody",
      amount: "0",
      hash: "rival",
      nonce: nonce ?? 0,
      raw: null,
      networkFee: "0",
    });
    w.usdt.mine(3);
    await runPayments(w.ctx, "USDT");
    const replacement = await rowOf(order.id);
    expect(replacement).toMatchObject({ status: "planned", parkedAt: expect.any(Date) });
    expect(await checkBooks(w.ctx.db)).toEqual([]);
    expect(await getSwitchReason(w.ctx.db, "swaps")).toContain("reorganisation");
    expect(paidTo(order.deliveryAddress)).toHaveLength(0);
    await w.ctx.db.transaction((tx) => retryParked(tx, w.ctx, replacement?.id ?? ""));
    await w.settle();
    expect(paidTo(order.deliveryAddress)).toHaveLength(1);
    await switchOn(w.ctx.db, "swaps", new Date());
  });
});

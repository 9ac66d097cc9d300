import { afterEach, beforeEach, expect, it } from "vitest";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { holdOrder, releaseOrder } from "~/exchange.server/orders/holds/hold";
import { holdIneligibleOrders, holdUnverifiedOrders } from "~/exchange.server/orders/holds/owner-eligibility";
import { lockOrderRow } from "~/exchange.server/orders/transition";
import { interrupted } from "../../support/interrupted";
import { createOrdersHarness, type OrdersHarness, type User } from "../../support/orders-harness";
import { openTestDatabase } from "../../support/test-database";

let database: OpenDatabase;
let w: OrdersHarness;
let user: User;
beforeEach(async () => {
  database = await openTestDatabase("PostgreSQL");
  w = await createOrdersHarness(database);
  user = await w.createUser();
});
afterEach(async () => {
  expect(await checkBooks(w.ctx.db)).toEqual([]);
  await database.close();
});

const see = ({ id }: { id: string }) => w.see(user, id);
const hold = ({ id }: { id: string }, reason: string) =>
  w.ctx.db.transaction((tx) => holdOrder(tx, w.ctx, id, { reason }));
const release = ({ id }: { id: string }) => w.ctx.db.transaction((tx) => releaseOrder(tx, w.ctx, id));
/** An order that was paid, confirmed and booked: at 100 percent its payout is planned. */
const pay = async (percent: bigint) => {
  const order = await w.lock(user, "USDT", "100");
  w.usdt.deposit(order.fundingAddress, percent * 1_000_000n);
  w.usdt.mine(3);
  await w.scan("USDT");
  return order;
};

it("an order on hold keeps its reason and its deadline when it is put on hold again", async () => {
  const order = await pay(60n);
  await hold(order, "A check.");
  const { hold: first } = await see(order);
  w.wait(60_000);
  await hold(order, "Another check.");
  expect((await see(order)).hold).toEqual(first);
  expect(first?.reason).toBe("A check.");
});

it("an order that is released asks for the same decision as before", async () => {
  const order = await pay(60n);
  const { decision } = await see(order);
  expect(decision?.reason).toBe("underpaid");
  await hold(order, "A check.");
  await release(order);
  expect((await see(order)).decision).toMatchObject({ ...decision, deadline: expect.any(String) });
  const row = await w.ctx.db.transaction((tx) => lockOrderRow(tx, order.id));
  expect(row).toMatchObject({ holdReason: null, heldFrom: null, holdDeadline: null });
});

it("an order that is released leaves its owner as much time to decide as when it was put on hold", async () => {
  const order = await pay(60n);
  const { decision } = await see(order);
  const hourMs = 3_600_000;
  w.wait(w.ctx.config.decisionTtlMs - 2 * hourMs);
  await hold(order, "A check.");
  w.wait(2 * hourMs);
  await hold(order, "Another check.");
  w.wait(2 * hourMs);
  await release(order);
  await w.tick();
  const later = await see(order);
  expect(later.status).toBe("needs_decision");
  const moved = Date.parse(later.decision?.deadline ?? "") - Date.parse(decision?.deadline ?? "");
  expect(moved).toBeGreaterThanOrEqual(4 * hourMs);
  expect(moved).toBeLessThan(4 * hourMs + 60_000);
  w.wait(2 * hourMs);
  await w.tick();
  expect((await see(order)).status).toBe("refunding");
});

it("a refund that is held continues after its release, even if its owner may no longer swap", async () => {
  const order = await pay(60n);
  await w.decide(user, order.id, { choice: "refund" });
  await hold(order, "A check.");
  await w.setKyc(user, "rejected");
  await release(order);
  await w.settle();
  expect((await see(order)).status).toBe("refunded");
});

it("an account's orders are put on hold, except one whose payment is under way", async () => {
  const leaving = await pay(100n);
  w.mob.faults.broadcast = "drop";
  await w.pay("MOB");
  const waiting = await pay(60n);
  await w.ctx.db.transaction((tx) => holdUnverifiedOrders(tx, w.ctx, user.accountId));
  expect([(await see(leaving)).status, (await see(waiting)).status]).toEqual(["paying_out", "on_hold"]);
});

it("an order is not put on hold if its owner is approved again in the meantime", async () => {
  const order = await pay(100n);
  await w.setKyc(user, "rejected");
  await holdIneligibleOrders(interrupted(w.ctx, () => w.setKyc(user, "approved")));
  expect(await see(order)).toMatchObject({ status: "paying_out", hold: null });
});

it("an order keeps an operator's hold if its owner becomes ineligible at the same time", async () => {
  const order = await pay(100n);
  await w.setKyc(user, "rejected");
  await holdIneligibleOrders(interrupted(w.ctx, () => hold(order, "A check.")));
  expect(await see(order)).toMatchObject({ status: "on_hold", hold: { reason: "A check." } });
});

import { expect, it } from "vitest";
import { getDepositGroups } from "~/exchange.server/orders/held-deposits";
import { createOrdersHarness } from "../../support/orders-harness";
import { openTestDatabase } from "../../support/test-database";

it("late deposits of an order count from the earliest, so that one more does not end the wait for it", async () => {
  const database = await openTestDatabase("PGlite");
  const w = await createOrdersHarness(database);
  const { lockTtlMs, graceMs } = w.ctx.config;
  const order = await w.lock(await w.createUser(), "USDT", "100");
  w.wait(lockTtlMs + graceMs - 60_000);
  w.usdt.deposit(order.fundingAddress, 60_000_000n);
  const lockedUntil = order.expiresAt.getTime() + graceMs;
  w.usdt.deposit(order.fundingAddress, 40_000_000n, { at: new Date(lockedUntil + 1_000) });
  w.usdt.deposit(order.fundingAddress, 1n, { at: new Date(lockedUntil + 2 * graceMs) });
  await w.scan("USDT");
  const groups = await getDepositGroups(w.ctx.db, order.id, new Date(lockedUntil));
  const late = groups.find(({ left }) => left === 40_000_001n);
  expect(late?.blockTime).toEqual(new Date(lockedUntil + 1_000));
  await database.close();
});

import { expect, it } from "vitest";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import { createJobs } from "~/exchange.server/jobs/jobs";
import { minuteMs } from "~/lib/durations";
import { createOrdersHarness } from "../../support/orders-harness";
import { openTestDatabase } from "../../support/test-database";

it("T43 alerts an operator when a large late deposit keeps everyone from locking a price, until it is collected", async () => {
  const database = await openTestDatabase("PGlite");
  const w = await createOrdersHarness(database);
  const job = createJobs(w.ctx).find(({ name }) => name === "watch-funds");
  const watch = async (minutes: number) => {
    w.wait(minutes * minuteMs);
    await w.refreshRate();
    await w.tick();
    await job?.run();
    return (await listAlerts(w.ctx.db)).filter(({ subject }) => subject.startsWith("liquidity"));
  };
  const order = await w.lock(await w.createUser(), "USDT", "10");
  expect(await watch(40)).toEqual([]);
  const float = w.usdt.faults.spendable;
  const amount = float + 1n;
  w.usdt.deposit(order.fundingAddress, amount);
  await w.settle();
  await expect(w.lock(await w.createUser(), "MOB", "100")).rejects.toMatchObject({ code: "liquidity" });
  expect(await watch(1)).toEqual([]);
  expect(await watch(5)).toEqual([]);
  const [alert, ...others] = await watch(5);
  expect(alert).toMatchObject({
    subject: "liquidity:USDT",
    reason: expect.stringMatching(/^We hold and owe [0-9.]+ USDT for swaps, but our wallet can send only [0-9.]+ USDT/),
    action: expect.stringMatching(/^Collect the deposits/),
  });
  expect(others).toEqual([]);
  w.usdt.faults.spendable = float + amount;
  expect(await watch(1)).toEqual([]);
  await database.close();
});

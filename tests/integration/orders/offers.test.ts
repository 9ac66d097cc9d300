import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../app/exchange.server/db/open";
import { createOrdersWorld, type OrdersWorld } from "../../support/orders-world";
import { openTestDatabase } from "../../support/test-database";

describe("an offer for an order that was paid late", () => {
  let database: OpenDatabase;
  let w: OrdersWorld;
  let orderId: string;
  beforeAll(async () => {
    database = await openTestDatabase("PostgreSQL");
    w = await createOrdersWorld(database);
    const order = await w.lock(await w.createUser(), "USDT", "100");
    w.wait(33 * 60_000);
    await w.tick();
    w.usdt.deposit(order.fundingAddress, order.sourceAmount);
    await w.settle();
    orderId = order.id;
  });
  afterAll(() => database?.close());

  it("is made only while there is a recent rate", async () => {
    // The only rate is from before the order.
    const strict = w.inProcess({ ...w.ctx, config: { ...w.ctx.config, rateMaxAgeMs: 30 * 60_000 } });
    expect(await strict.offer(orderId)).toBeNull();
    await w.refreshRate();
    expect(await strict.offer(orderId)).toMatchObject({ status: "open", offerForOrderId: orderId });
  });

  it("is not said to be impossible if the rate cannot be read", async () => {
    w.wait(w.ctx.config.quoteTtlMs + 1);
    await w.ctx.db.execute(sql`alter table rate_points rename to unreadable`);
    const failure: unknown = await w.offer(orderId).catch((error: unknown) => error);
    await w.ctx.db.execute(sql`alter table unreadable rename to rate_points`);
    expect(failure).toBeInstanceOf(Error);
    expect(await w.offer(orderId)).toMatchObject({ status: "open" });
  });
});

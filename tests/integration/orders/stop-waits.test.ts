import { eq, type SQL, sql } from "drizzle-orm";
import pino from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type OpenDatabase, openPostgres } from "~/exchange.server/db/open";
import { orders } from "~/exchange.server/db/schema/orders";
import { payments } from "~/exchange.server/db/schema/payments";
import { type Operator, openOperator } from "~/exchange.server/operator/operator";
import { getOffReason } from "~/exchange.server/switches/switches";
import { deferred } from "../../support/deferred";
import { toOperatorSetup } from "../../support/operator-setup";
import { createOrdersHarness, type OrdersHarness, type User } from "../../support/orders-harness";
import { createTestPostgres, untilBlocked } from "../../support/postgres";
import { switchOn } from "../../support/switch-on";

describe("T63 `operate off`", () => {
  let database: OpenDatabase;
  let w: OrdersHarness;
  let operator: Operator;
  let user: User;
  beforeAll(async () => {
    const url = await createTestPostgres();
    database = await openPostgres(url, { poolSize: 6 });
    w = await createOrdersHarness(database);
    operator = await openOperator(toOperatorSetup(url), pino({ level: "silent" }), "ada");
  });
  beforeEach(async () => {
    user = await w.createUser();
    await w.tick();
  });
  afterEach(async () => {
    for (const name of ["payments", "swaps"] as const) await switchOn(w.ctx.db, name);
    await w.tick();
  });
  afterAll(async () => {
    await operator?.close();
    await database?.close();
  });

  /** Holds the rows that a statement locks until `release` is called. */
  const hold = async (statement: SQL) => {
    const [held, released] = [deferred(), deferred()];
    const done = w.ctx.db.transaction(async (tx) => {
      await tx.execute(statement);
      held.resolve();
      await released.promise;
    });
    await held.promise;
    return async () => {
      released.resolve();
      await done;
    };
  };
  /** Switches something off while a transaction has read the switches and waits for rows that `release` releases. */
  const switchOffDuring = async (name: "swaps" | "payments", release: () => Promise<void>) => {
    await untilBlocked(w.ctx.db);
    let hasReturned = false;
    const off = operator.turnOff(name, "A check.").then(() => {
      hasReturned = true;
    });
    await expect.poll(() => getOffReason(w.ctx.db, name)).toBe("A check.");
    await untilBlocked(w.ctx.db, 2);
    expect(hasReturned).toBe(false);
    await release();
    await off;
  };

  it("returns only when the lock of a quote that had begun before is stored", async () => {
    const quote = await w.quote(user, "USDT", "100");
    const later = await w.quote(user, "USDT", "100");
    const release = await hold(sql`select 1 from ledger_accounts where asset = 'MOB' and code = 'treasury' for update`);
    const locking = w.lockQuote(user, quote.id, "USDT", "stop-waits");
    await switchOffDuring("swaps", release);
    expect(await w.ctx.db.select().from(orders).where(eq(orders.quoteId, quote.id))).toHaveLength(1);
    await locking;
    await expect(w.lockQuote(user, later.id, "USDT", "stop-refuses")).rejects.toMatchObject({ code: "swaps_stopped" });
  });

  it("returns only when the acceptance of an offer that had begun before is stored", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.wait(33 * 60_000);
    await w.tick();
    w.usdt.deposit(order.fundingAddress, order.sourceAmount);
    await w.settle();
    await w.refreshRate();
    const offer = await w.offer(order.id);
    const release = await hold(sql`select 1 from ledger_accounts where asset = 'MOB' and code = 'treasury' for update`);
    const deciding = w.decide(user, order.id, { choice: "requote", quote_id: offer?.id ?? 0 });
    await switchOffDuring("swaps", release);
    const [row] = await w.ctx.db.select().from(orders).where(eq(orders.id, order.id));
    expect(row?.status).toBe("paying_out");
    await deciding;
  });

  it("returns only when a payment that was being prepared before is stored", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, order.sourceAmount);
    w.usdt.mine(3);
    await w.scan("USDT");
    const { preparePayment } = w.mob;
    const built = deferred<() => Promise<void>>();
    w.mob.preparePayment = async (request) => {
      w.mob.preparePayment = preparePayment;
      const prepared = await preparePayment(request);
      built.resolve(await hold(sql`select 1 from orders where id = ${order.id} for update`));
      return prepared;
    };
    const paying = w.pay("MOB");
    await switchOffDuring("payments", await built.promise);
    const rows = await w.ctx.db.select().from(payments).where(eq(payments.orderId, order.id));
    expect(rows).toHaveLength(1);
    expect(rows[0]?.status).not.toBe("planned");
    await paying;
  });
});

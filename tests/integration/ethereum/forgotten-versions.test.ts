import { eq } from "drizzle-orm";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { PreparedPayment } from "~/exchange.server/chains/gateway";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { payments } from "~/exchange.server/db/schema/payments";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { acceptPayment, checkHistory } from "~/exchange.server/payments/check-history";
import { listAlerts } from "~/exchange.server/switches/alerts";
import { switchOn } from "~/exchange.server/switches/switches";
import { createOrdersWorld, type OrdersWorld } from "../../support/orders-world";
import { openTestDatabase } from "../../support/test-database";
import { startTestnet, type Testnet } from "./setup";

describe("a backup from before the fee of a payment was raised", () => {
  let testnet: Testnet;
  let database: OpenDatabase;
  let w: OrdersWorld;

  beforeAll(async () => {
    testnet = await startTestnet();
    await testnet.mine();
    database = await openTestDatabase("PGlite");
    w = await createOrdersWorld(database, { chains: { USDT: testnet.gateway() } });
    await checkHistory(w.ctx, "USDT", { isThorough: true });
  });
  // The unknown payment has stopped both.
  beforeEach(async () => {
    for (const name of ["payments", "swaps"] as const) await switchOn(w.ctx.db, name, await w.ctx.clock.now(w.ctx.db));
  });
  afterAll(async () => {
    await database.close();
    await testnet.close();
  });

  const rowsOf = (orderId: string) => w.ctx.db.select().from(payments).where(eq(payments.orderId, orderId));

  /** Pays an order with a version of its payment that the database does not have. */
  const payForgotten = async () => {
    const user = await w.createUser({ ETH: privateKeyToAddress(generatePrivateKey()) });
    const order = await w.lock(user, "MOB", "100");
    w.mob.deposit(order.fundingAddress, 100n * 10n ** 12n);
    await w.scan("MOB");
    await w.pay("USDT");
    const [backedUp] = await rowsOf(order.id);
    const gateway = testnet.gateway({ feeBumpAfterMs: 0 });
    const raised = await gateway.bumpPayment(backedUp?.prepared as PreparedPayment, { refused: true });
    if (!raised) throw new Error("no bump");
    await gateway.broadcast(raised);
    await testnet.mine(2);
    await checkHistory(w.ctx, "USDT", { isThorough: true });
    expect((await listAlerts(w.ctx.db)).map(({ subject }) => subject)).toContain(`unknown:${raised.hash}`);
    return { user, order, raised };
  };

  const expectPaidOnce = async ({ user, order, raised }: Awaited<ReturnType<typeof payForgotten>>) => {
    expect((await w.see(user, order.id)).status).toBe("paying_out");
    for (let run = 0; run < 3; run += 1) {
      await testnet.mine(2);
      await w.pay("USDT");
    }
    expect(await rowsOf(order.id)).toMatchObject([{ status: "confirmed", hash: raised.hash }]);
    expect((await w.see(user, order.id)).status).toBe("completed");
    expect(await testnet.balanceOf(order.deliveryAddress)).toBe(order.targetAmount);
    await testnet.mine(100);
    await w.pay("USDT");
    await checkHistory(w.ctx, "USDT", { isThorough: true });
    expect(await rowsOf(order.id)).toMatchObject([{ settledAt: expect.any(Date), missingSince: null }]);
    expect(await listAlerts(w.ctx.db)).toEqual([]);
    expect(await checkBooks(w.ctx.db)).toEqual([]);
  };

  it("books the raised version that is in a block, once (T48)", async () => {
    await expectPaidOnce(await payForgotten());
  });

  it("books it also after an operator has accounted for it (T48)", async () => {
    const paid = await payForgotten();
    await acceptPayment(w.ctx.db, paid.raised.hash, await w.ctx.clock.now(w.ctx.db));
    await expectPaidOnce(paid);
  });
});

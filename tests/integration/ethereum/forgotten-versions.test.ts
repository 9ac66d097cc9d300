import { eq } from "drizzle-orm";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import type { PreparedPayment } from "~/exchange.server/chains/gateway";
import type { OpenDatabase } from "~/exchange.server/db/open";
import type { OrderRow } from "~/exchange.server/db/schema/orders";
import { payments } from "~/exchange.server/db/schema/payments";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { checkHistory } from "~/exchange.server/payments/history/check-history";
import { acceptPayment } from "~/exchange.server/payments/history/possible-duplicates";
import { markPlannedPaid } from "~/exchange.server/payments/mark-paid";
import { checkReserves, listReserveChecks } from "~/exchange.server/payments/reserves/check-reserves";
import { getOffReason } from "~/exchange.server/switches/switches";
import { createOrdersHarness, type OrdersHarness, type User } from "../../support/orders-harness";
import { switchOn } from "../../support/switch-on";
import { openTestDatabase } from "../../support/test-database";
import { startTestnet, type Testnet } from "./setup";

describe("a backup from before the fee of a payment was raised", () => {
  let testnet: Testnet;
  let database: OpenDatabase;
  let w: OrdersHarness;

  beforeAll(async () => {
    testnet = await startTestnet();
    await testnet.mine();
    database = await openTestDatabase("PGlite");
    w = await createOrdersHarness(database, { chains: { USDT: testnet.gateway() } });
    await checkHistory(w.ctx, "USDT", { isThorough: true });
  });
  const switchAllOn = async () => {
    for (const name of ["payments", "swaps"] as const) await switchOn(w.ctx.db, name);
  };
  // The unknown payment has stopped both.
  beforeEach(switchAllOn);
  afterAll(async () => {
    await database.close();
    await testnet.close();
  });

  const subjects = async () => (await listAlerts(w.ctx.db)).map(({ subject }) => subject);
  const queryRows = (orderId: string) => w.ctx.db.select().from(payments).where(eq(payments.orderId, orderId));

  const fund = async (user: User) => {
    const order = await w.lock(user, "MOB", "100");
    w.mob.deposit(order.fundingAddress, 100n * 10n ** 12n);
    await w.scan("MOB");
    return order;
  };

  /** Has a block include a version of an order's payment that the database does not have. */
  const includeForgotten = async (order: OrderRow, blocks: number) => {
    const [backedUp] = await queryRows(order.id);
    const gateway = testnet.gateway({ feeBumpAfterMs: 0 });
    const raised = await gateway.bumpPayment(backedUp?.prepared as PreparedPayment, { refused: true });
    if (!raised) throw new Error("no bump");
    await gateway.broadcast(raised);
    await testnet.mine(blocks);
    await checkHistory(w.ctx, "USDT", { isThorough: true });
    expect(await subjects()).toContain(`unknown:${raised.hash}`);
    return raised;
  };

  const payForgotten = async () => {
    const user = await w.createUser({ ETH: privateKeyToAddress(generatePrivateKey()) });
    const order = await fund(user);
    await w.pay("USDT");
    return { user, order, raised: await includeForgotten(order, 2) };
  };

  const expectPaidOnce = async ({ user, order, raised }: Awaited<ReturnType<typeof payForgotten>>) => {
    expect((await w.see(user, order.id)).status).toBe("paying_out");
    for (let run = 0; run < 3; run += 1) {
      await testnet.mine(2);
      await w.pay("USDT");
    }
    expect(await queryRows(order.id)).toMatchObject([{ status: "confirmed", hash: raised.hash }]);
    expect((await w.see(user, order.id)).status).toBe("completed");
    expect(await testnet.balanceOf(order.deliveryAddress)).toBe(order.targetAmount);
    await testnet.mine(100);
    await w.pay("USDT");
    await checkHistory(w.ctx, "USDT", { isThorough: true });
    expect(await queryRows(order.id)).toMatchObject([{ settledAt: expect.any(Date), missingSince: null }]);
    expect(await listAlerts(w.ctx.db)).toEqual([]);
    expect(await checkBooks(w.ctx.db)).toEqual([]);
  };

  it("books the raised version that is in a block, once (T48)", async () => {
    await expectPaidOnce(await payForgotten());
  });

  it("books it even after an operator has accounted for it (T48)", async () => {
    const paid = await payForgotten();
    await acceptPayment(w.ctx.db, paid.raised.hash, await w.ctx.clock.now(w.ctx.db));
    await expectPaidOnce(paid);
  });

  /** An order whose lost payment has one confirmation, and another one of the same customer that is not paid yet. */
  const payFirstOfTwo = async () => {
    const user = await w.createUser({ ETH: privateKeyToAddress(generatePrivateKey()) });
    const first = await fund(user);
    await w.pay("USDT");
    const second = await fund(user);
    const raised = await includeForgotten(first, 1);
    const [parked] = await queryRows(second.id);
    if (!parked) throw new Error("no payment");
    expect(parked).toMatchObject({ status: "planned", lastError: expect.stringContaining(raised.hash) });
    const markPaid = (hash: string) =>
      w.ctx.db.transaction((tx) => markPlannedPaid(tx, w.ctx, { paymentId: parked.id, hash }));
    return { user, first, second, raised, parked, markPaid };
  };

  it("pays another order of the customer automatically once the lost payment is booked (T48)", async () => {
    const { user, first, second, parked } = await payFirstOfTwo();
    expect(await subjects()).toContain(`payment:${parked.id}`);
    await switchAllOn();
    for (let run = 0; run < 4; run += 1) {
      await testnet.mine(2);
      await w.pay("USDT");
      await checkHistory(w.ctx, "USDT", { isThorough: false });
    }
    for (const { id } of [first, second]) expect((await w.see(user, id)).status).toBe("completed");
    expect(await testnet.balanceOf(first.deliveryAddress)).toBe(first.targetAmount + second.targetAmount);
    expect(await listAlerts(w.ctx.db)).toEqual([]);
    expect(await getOffReason(w.ctx.db, "payments")).toBeNull();
  });

  it("does not book another payment with the lost one's transaction (T48)", async () => {
    const { first, second, raised, markPaid } = await payFirstOfTwo();
    const [signed] = await queryRows(first.id);
    if (!signed?.hash) throw new Error("no payment");
    const mayBe = `Payment ${signed.id} of the same amount to the same address is under way`;
    await expect(markPaid(raised.hash)).rejects.toThrow(mayBe);
    await testnet.mine(3);
    await w.pay("USDT");
    expect(await queryRows(first.id)).toMatchObject([{ status: "confirmed", hash: raised.hash }]);
    for (const hash of [raised.hash, signed.hash]) {
      await expect(markPaid(hash)).rejects.toThrow(`${hash} is already the transaction of another payment`);
    }
    expect(await queryRows(second.id)).toMatchObject([{ status: "planned" }]);
    await markPaid("0xbyhand");
    expect(await queryRows(second.id)).toMatchObject([{ status: "confirmed", hash: "0xbyhand" }]);
    await checkHistory(w.ctx, "USDT", { isThorough: false });
    expect(await listAlerts(w.ctx.db)).toEqual([]);
  });

  it("attributes a shortage to the lost payment before it has its confirmations (T57)", async () => {
    const user = await w.createUser({ ETH: privateKeyToAddress(generatePrivateKey()) });
    const order = await fund(user);
    await w.pay("USDT");
    const shortage = async () => {
      await checkReserves(w.ctx, "USDT");
      const [check] = await listReserveChecks(w.ctx.db);
      return check && check.owed - check.inWallet - check.uncollected;
    };
    const before = await shortage();
    await includeForgotten(order, 1);
    expect(await shortage()).toBe(before);
    await w.pay("USDT");
    expect((await queryRows(order.id))[0]).toMatchObject({ status: "sent", confirmations: 1 });
    expect(await shortage()).toBe(before);
  });
});

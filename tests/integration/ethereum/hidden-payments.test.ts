import { eq } from "drizzle-orm";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterEach, expect, it } from "vitest";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import { chainStates } from "~/exchange.server/db/schema/chains";
import { payments } from "~/exchange.server/db/schema/payments";
import { checkHistory } from "~/exchange.server/payments/history/check-history";
import { checkReserves } from "~/exchange.server/payments/reserves/check-reserves";
import { getOffReason } from "~/exchange.server/switches/switches";
import { createOrdersHarness } from "../../support/orders-harness";
import { switchOn } from "../../support/switch-on";
import { openTestDatabase } from "../../support/test-database";
import { startFaultyNode } from "./faulty-node";
import { startTestnet } from "./setup";

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of cleanUp.splice(0)) await end();
});

/** A database that has lost the payout of an order, and nodes that hide it. */
async function forgetPayout(nodes: "one of two hides it" | "one of three hides it, one is down") {
  const testnet = await startTestnet();
  await testnet.mine();
  const database = await openTestDatabase("PostgreSQL");
  const faults = { on: true };
  const hides = await startFaultyNode(testnet, ({ method }) =>
    faults.on && method === "eth_getLogs" ? { result: [] } : undefined,
  );
  const down = await startFaultyNode(testnet, () => {
    if (faults.on) throw new Error("down");
    return undefined;
  });
  cleanUp.push(hides.close, down.close, database.close, testnet.close);
  const rpcUrls = [testnet.chain.rpcUrl, hides.url, ...(nodes === "one of two hides it" ? [] : [down.url])];
  const gateway = testnet.gateway({ rpcUrls, maxHeadAgeMs: 1e9 });
  faults.on = false;
  const w = await createOrdersHarness(database, { chains: { USDT: gateway } });
  await checkHistory(w.ctx, "USDT", { isThorough: true });
  const user = await w.createUser({ ETH: privateKeyToAddress(generatePrivateKey()) });
  const order = await w.lock(user, "MOB", "100");
  w.mob.deposit(order.fundingAddress, 100n * 10n ** 12n);
  await w.scan("MOB");
  const { deliveryAddress: to, targetAmount: amount } = order;
  const prepared = await gateway.preparePayment({ paymentId: "p", to, amount, nonce: await gateway.getNextNonce() });
  await gateway.broadcast(prepared);
  await testnet.mine(10);
  faults.on = true;
  const pay = async () => {
    for (let run = 0; run < 3; run += 1) {
      await w.pay("USDT");
      await testnet.mine(5);
    }
  };
  /** Whatever the reason for the stop. */
  const acceptAll = async () => {
    const baselineNonce = await gateway.getNextNonce();
    await w.ctx.db.update(chainStates).set({ baselineNonce }).where(eq(chainStates.asset, "USDT"));
    for (const name of ["payments", "swaps"] as const) await switchOn(w.ctx.db, name);
  };
  return { testnet, w, order, prepared, faults, pay, acceptAll };
}

const subjects = async ({ ctx }: { ctx: Parameters<typeof checkHistory>[0] }) =>
  (await listAlerts(ctx.db)).map(({ subject }) => subject);

it.each(["one of two hides it", "one of three hides it, one is down"] as const)(
  "a payment that was lost with a restored backup is not made again, and is found once enough nodes report it: %s (T48)",
  async (nodes) => {
    const { testnet, w, order, prepared, faults, pay, acceptAll } = await forgetPayout(nodes);
    await checkHistory(w.ctx, "USDT", { isThorough: true });
    expect(await getOffReason(w.ctx.db, "payments")).toMatch(/Was a backup restored/);
    // An operator who continues too early.
    await acceptAll();
    await pay();
    const [planned] = await w.ctx.db.select().from(payments).where(eq(payments.orderId, order.id));
    expect(planned).toMatchObject({ status: "planned", parkedAt: null });
    expect(await subjects(w), "the nodes may agree soon").toEqual([]);

    await testnet.mine(100);
    await checkHistory(w.ctx, "USDT", { isThorough: false });
    expect(await listAlerts(w.ctx.db)).toMatchObject([
      {
        subject: "history:USDT",
        reason: expect.stringMatching(/^What our USDT wallet has paid after block \d+ cannot be/),
      },
    ]);
    await pay();
    faults.on = false;
    await checkHistory(w.ctx, "USDT", { isThorough: false });
    expect(await subjects(w)).toEqual([`unknown:${prepared.hash}`, `payment:${planned?.id}`]);
    expect(await getOffReason(w.ctx.db, "payments")).toMatch(/has made payments that are not in this database/);
    await acceptAll();
    await pay();
    expect(await testnet.balanceOf(order.deliveryAddress)).toBe(order.targetAmount);
  },
);

it("finds older payments that all nodes had hidden, but only at the next start (T48)", async () => {
  const { testnet, w, prepared, faults } = await forgetPayout("one of two hides it");
  const honest = await testnet.gateway().listOutgoing({ from: 0, isThorough: false });
  expect(honest.payments.map(({ hash }) => hash)).toContain(prepared.hash);
  const { listOutgoing } = w.ctx.chains.USDT;
  w.ctx.chains.USDT.listOutgoing = async (range) => ({
    ...(await listOutgoing(range)),
    payments: [],
    through: honest.head + 100,
  });
  await testnet.mine(100);
  await checkHistory(w.ctx, "USDT", { isThorough: false });
  w.ctx.chains.USDT.listOutgoing = listOutgoing;
  faults.on = false;
  await checkHistory(w.ctx, "USDT", { isThorough: false });
  expect(await subjects(w)).not.toContain(`unknown:${prepared.hash}`);
  await checkHistory(w.ctx, "USDT", { isThorough: true });
  expect(await subjects(w)).toContain(`unknown:${prepared.hash}`);
});

it.each(["one of two", "one of three, and another is down"])(
  "a payout whose receipt is hidden stops payments until enough nodes report it: hidden by %s (T55)",
  async (kind) => {
    const testnet = await startTestnet();
    await testnet.mine();
    const database = await openTestDatabase("PostgreSQL");
    const faults = { on: false };
    const hides = await startFaultyNode(testnet, ({ method }) =>
      faults.on && method === "eth_getTransactionReceipt" ? { result: null } : undefined,
    );
    const down = await startFaultyNode(testnet, () => {
      if (faults.on) throw new Error("down");
      return undefined;
    });
    cleanUp.push(hides.close, down.close, database.close, testnet.close);
    const rpcUrls = [testnet.chain.rpcUrl, hides.url, ...(kind === "one of two" ? [] : [down.url])];
    let ahead = 0;
    const gateway = testnet.gateway({ rpcUrls, maxHeadAgeMs: 1e9, now: () => Date.now() + ahead });
    const w = await createOrdersHarness(database, { chains: { USDT: gateway } });
    const user = await w.createUser({ ETH: privateKeyToAddress(generatePrivateKey()) });
    const order = await w.lock(user, "MOB", "100");
    w.mob.deposit(order.fundingAddress, 100n * 10n ** 12n);
    faults.on = true;
    await w.scan("MOB");
    const payAndCompare = async () => {
      for (let step = 0; step < 5; step += 1) {
        await w.pay("USDT");
        await testnet.mine();
      }
      await checkReserves(w.ctx, "USDT");
      ahead += 11_000;
      w.wait(11_000);
      await checkReserves(w.ctx, "USDT");
    };
    await payAndCompare();
    expect(await testnet.balanceOf(order.deliveryAddress)).toBe(order.targetAmount);
    expect(await getOffReason(w.ctx.db, "payments")).toMatch(/is missing, unless our own payments/);
    expect(await subjects(w)).toEqual(["reserves:USDT"]);
    faults.on = false;
    await payAndCompare();
    expect((await w.see(user, order.id)).status).toBe("completed");
    expect(await getOffReason(w.ctx.db, "payments")).toBeNull();
    expect(await subjects(w)).toEqual([]);
  },
);

import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { deposits } from "~/exchange.server/db/schema/deposits";
import { checkHistory } from "~/exchange.server/payments/check-history";
import { getOffReason, switchOn } from "~/exchange.server/switches/switches";
import type { SandboxMobilecoin } from "~/sandbox.server/mobilecoin/start";
import { createOrdersWorld, type OrdersWorld } from "../../support/orders-world";
import { openTestDatabase } from "../../support/test-database";
import { eventually, mob, startTestnet } from "./setup";

let database: OpenDatabase;
let sandbox: SandboxMobilecoin;
let w: OrdersWorld;
beforeAll(async () => {
  database = await openTestDatabase("PostgreSQL");
  const testnet = await startTestnet();
  sandbox = testnet.sandbox;
  w = await createOrdersWorld(database, { chains: { MOB: testnet.gateway } });
});
afterAll(async () => {
  await sandbox?.stop();
  await database?.close();
});

it("T48 stops at the next start, but keeps all deposits, if MobileCoin's wallet was restored from its seed", async () => {
  await checkHistory(w.ctx, "MOB", { isThorough: true });
  const user = await w.createUser();
  const order = await w.lock(user, "MOB", "100");
  await sandbox.pay({ address: order.fundingAddress, amount: order.sourceAmount });
  await w.scan("MOB");
  const readDeposits = () => w.ctx.db.select().from(deposits).where(eq(deposits.orderId, order.id));
  const credited = await readDeposits();
  expect(credited).toMatchObject([{ status: "confirmed", amount: order.sourceAmount }]);
  await checkHistory(w.ctx, "MOB", { isThorough: true });
  expect(await getOffReason(w.ctx.db, "payments")).toBeNull();

  await sandbox.controls.restoreWallet();
  for (const scanned of [1, 2, null]) {
    sandbox.controls.setScanned(scanned);
    await sandbox.controls.makeBlocks(1);
    await w.scan("MOB");
    expect(await readDeposits()).toEqual(credited);
  }
  expect(await w.see(user, order.id)).toMatchObject({ status: "paying_out" });
  await checkHistory(w.ctx, "MOB", { isThorough: true });
  expect(await getOffReason(w.ctx.db, "swaps")).toContain(
    `does not know the address of funding index ${order.fundingIndex}`,
  );
});

it("T48 stops once if the restored wallet has no record of payments, which a restored database may lack too", async () => {
  const { ctx } = w;
  const start = () => checkHistory(ctx, "MOB", { isThorough: true });
  await switchOn(ctx.db, "payments");
  const pay = async (amount: number) => {
    const to = sandbox.wallet().address;
    const payment = await ctx.chains.MOB.preparePayment({ paymentId: "p", to, amount: mob(amount), nonce: null });
    await ctx.chains.MOB.broadcast(payment);
    await eventually(
      () => ctx.chains.MOB.getPaymentState(payment),
      ({ state }) => state === "in_block",
    );
  };
  const getStop = async () => ((await getOffReason(ctx.db, "payments")) ?? "").match(/no record of the payments/g);
  // The database that was restored knows none of these.
  await pay(7);
  await sandbox.controls.restoreWallet();
  await start();
  expect(await getStop()).toHaveLength(1);

  await switchOn(ctx.db, "payments");
  await pay(8);
  await start();
  expect(await getStop()).toBeNull();
  await sandbox.controls.restoreWallet();
  await start();
  expect(await getStop()).toHaveLength(1);
});

import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import type { FullService } from "~/exchange.server/chains/mobilecoin/full-service";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { deposits } from "~/exchange.server/db/schema/deposits";
import { unknownPayments } from "~/exchange.server/db/schema/history";
import { payments } from "~/exchange.server/db/schema/payments";
import { checkHistory } from "~/exchange.server/payments/history/check-history";
import { acceptPayment } from "~/exchange.server/payments/history/possible-duplicates";
import { markPlannedPaid } from "~/exchange.server/payments/mark-paid";
import { runPayments } from "~/exchange.server/payments/run-payments";
import { getOffReason } from "~/exchange.server/switches/switches";
import { createAccountKeys } from "~/sandbox.server/mobilecoin/keys";
import type { SandboxMobilecoin } from "~/sandbox.server/mobilecoin/start";
import { createOrdersHarness, type OrdersHarness } from "../../support/orders-harness";
import { switchOn } from "../../support/switch-on";
import { openTestDatabase } from "../../support/test-database";
import { connect, eventually, startTestnet } from "./setup";

let database: OpenDatabase;
let sandbox: SandboxMobilecoin;
let service: FullService;
let w: OrdersHarness;
beforeAll(async () => {
  database = await openTestDatabase("PostgreSQL");
  const testnet = await startTestnet();
  ({ sandbox, service } = testnet);
  w = await createOrdersHarness(database, { chains: { MOB: testnet.gateway } });
});
afterAll(async () => {
  await sandbox?.stop();
  await database?.close();
});

it("T48 stops at the next start, but keeps all deposits, if MobileCoin's wallet was restored from its seed", async () => {
  await checkHistory(w.ctx, "MOB", { isThorough: true });
  const user = await w.createUser({ MOB: createAccountKeys("tests").toAddress(1n) });
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

const start = () => checkHistory(w.ctx, "MOB", { isThorough: true });
const payFromWallet = async (to: string, amount: bigint) => {
  const payment = await w.ctx.chains.MOB.preparePayment({ paymentId: "lost", to, amount, nonce: null });
  await w.ctx.chains.MOB.broadcast(payment);
  await eventually(
    () => w.ctx.chains.MOB.getPaymentState(payment),
    ({ kind }) => kind === "in_block",
  );
};
const listUnknown = () => w.ctx.db.select().from(unknownPayments);
const resume = async () => {
  for (const name of ["payments", "swaps"] as const) await switchOn(w.ctx.db, name);
};

it("T48 does not stop for payments of this database if only the wallet was restored", async () => {
  await resume();
  const user = await w.createUser({ MOB: sandbox.wallet().address });
  const order = await w.lock(user, "USDT", "100");
  w.usdt.deposit(order.fundingAddress, order.sourceAmount);
  w.usdt.mine(3);
  await w.scan("USDT");
  await eventually(
    async () => {
      await runPayments(w.ctx, "MOB");
      return (await w.see(user, order.id)).status;
    },
    (status) => status === "completed",
  );
  await sandbox.controls.restoreWallet();
  await start();
  expect(await listUnknown()).toEqual([]);
  expect(await getOffReason(w.ctx.db, "payments")).not.toContain("made payments");
});

it("T48 does not repeat a payment that both restored backups have lost, once the wallet is in sync", async () => {
  await resume();
  const user = await w.createUser({ MOB: sandbox.wallet().address });
  const order = await w.lock(user, "USDT", "50");
  // The database that was restored is from before this payout.
  await payFromWallet(order.deliveryAddress, order.targetAmount);
  await sandbox.controls.restoreWallet();
  sandbox.controls.setScanned(1);
  expect(await start()).toMatchObject({ isComplete: false });
  expect(await listUnknown()).toEqual([]);

  sandbox.controls.setScanned(null);
  expect(await checkHistory(w.ctx, "MOB", { isThorough: false })).toMatchObject({ isComplete: true });
  const { deliveryAddress: address, targetAmount: amount } = order;
  const [unknown] = await listUnknown();
  expect(unknown).toMatchObject({ asset: "MOB", address, amount, resolvedAt: null });
  expect(await getOffReason(w.ctx.db, "payments")).toContain("made payments that are not in this database");

  await resume();
  w.usdt.deposit(order.fundingAddress, order.sourceAmount);
  w.usdt.mine(3);
  await w.scan("USDT");
  await runPayments(w.ctx, "MOB");
  const [payout] = await w.ctx.db.select().from(payments).where(eq(payments.orderId, order.id));
  expect(payout).toMatchObject({ status: "planned", parkedAt: expect.any(Date), mayDuplicate: unknown?.hash });
  await w.ctx.db.transaction((tx) =>
    markPlannedPaid(tx, w.ctx, { paymentId: payout?.id ?? "", hash: unknown?.hash ?? "" }),
  );
  await start();
  expect(await w.see(user, order.id)).toMatchObject({ status: "completed" });
  expect(await listUnknown()).toMatchObject([{ resolvedAt: expect.any(Date) }]);
});

it("T48 stops for a payment by another wallet with our keys, and for one to a receiver without an open order", async () => {
  await resume();
  const before = (await listUnknown()).length;
  await payFromWallet(sandbox.wallet().address, 7n * 10n ** 12n);
  await sandbox.controls.restoreWallet();
  // Without a start: the next comparison finds its change.
  await checkHistory(w.ctx, "MOB", { isThorough: false });
  const found = (await listUnknown()).slice(before);
  expect(found).toMatchObject([{ amount: 7n * 10n ** 12n, resolvedAt: null }]);
  expect(found[0]?.address).toMatch(/^the address with the hash /);
  expect(await getOffReason(w.ctx.db, "swaps")).not.toBeNull();
});

it("T48 if the wallet was restored, does not report a payment again that an operator has accounted for, but reports a later one like it", async () => {
  const [to, amount] = [sandbox.wallet().address, 8n * 10n ** 12n];
  const listFound = async () => (await listUnknown()).filter((unknown) => unknown.amount === amount);
  await payFromWallet(to, amount);
  await checkHistory(w.ctx, "MOB", { isThorough: false });
  const accepted = await listFound();
  expect(accepted).toMatchObject([{ address: to, resolvedAt: null }]);
  await acceptPayment(w.ctx.db, accepted[0]?.hash ?? "", new Date());
  await resume();

  await sandbox.controls.restoreWallet();
  await start();
  expect(await listFound()).toMatchObject([{ hash: accepted[0]?.hash }]);
  expect(await getOffReason(w.ctx.db, "payments")).not.toContain("made payments");

  await payFromWallet(to, amount);
  await sandbox.controls.restoreWallet();
  await start();
  expect(await listFound()).toHaveLength(2);
  expect(await getOffReason(w.ctx.db, "payments")).toContain("made payments");
});

it("alerts an operator while a wallet that was imported again has not read many blocks", async () => {
  await sandbox.controls.makeBlocks(70);
  sandbox.controls.setScanned(1);
  await start();
  const reason = expect.stringContaining("the wallet has not read those blocks yet");
  expect(await listAlerts(w.ctx.db)).toContainEqual(expect.objectContaining({ subject: "history:MOB", reason }));
  sandbox.controls.setScanned(null);
  await start();
  expect((await listAlerts(w.ctx.db)).map(({ subject }) => subject)).not.toContain("history:MOB");
});

it("T48 stops at each start after an import with too few addresses, until the wallet knows the newest order's", async () => {
  await resume();
  const user = await w.createUser({ MOB: sandbox.wallet().address });
  const orders = [await w.lock(user, "MOB", "100"), await w.lock(user, "MOB", "100")];
  const newest = `does not know the address of funding index ${orders[1]?.fundingIndex}`;
  await sandbox.controls.restoreWallet();
  // An import assigns the first addresses, without metadata.
  const result = z.object({ address: z.object({ public_address_b58: z.string() }) });
  const assignThrough = async (address = "") => {
    const params = { account_id: sandbox.accountId };
    for (let assigned = ""; assigned !== address; )
      assigned = (await service.call("assign_address_for_account", params, result)).address.public_address_b58;
  };
  await assignThrough(orders[0]?.fundingAddress);
  w.ctx.chains.MOB = connect(sandbox).gateway;
  await start();
  expect(await getOffReason(w.ctx.db, "swaps")).toContain(newest);
  await assignThrough(orders[1]?.fundingAddress);
  await resume();
  await start();
  expect(String(await getOffReason(w.ctx.db, "swaps"))).not.toContain(newest);
});

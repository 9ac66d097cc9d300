import { eq, sql } from "drizzle-orm";
import pg from "pg";
import { afterEach, describe, expect, inject, it } from "vitest";
import { runOperatorCommand } from "../../../app/commands/operator-command";
import { type OpenDatabase, openPostgres } from "../../../app/exchange.server/db/open";
import { deliveryAddresses } from "../../../app/exchange.server/db/schema/addresses";
import { walletHistories } from "../../../app/exchange.server/db/schema/history";
import { payments } from "../../../app/exchange.server/db/schema/payments";
import { openOperator } from "../../../app/exchange.server/operator/operator";
import { checkHistory, skipNumbersOfRestored } from "../../../app/exchange.server/payments/check-history";
import type { ExchangeSetup } from "../../../app/exchange.server/setup";
import { getSwitchReason } from "../../../app/exchange.server/switches/switches";
import { createTestContext } from "../../support/context";
import { createOrdersWorld, type OrdersWorld } from "../../support/orders-world";
import { createTestPostgres } from "../../support/postgres";
import { testConfig } from "../../support/test-config";

const assets = ["USDT", "MOB"] as const;
const open: OpenDatabase[] = [];
afterEach(async () => {
  for (const database of open.splice(0)) await database.close();
});

async function openDatabase(url: string): Promise<OpenDatabase> {
  const database = await openPostgres(url);
  open.push(database);
  return database;
}

/** A copy of a database that nobody has open: a backup. */
async function copyDatabase(url: string): Promise<string> {
  const name = new URL(url).pathname.slice(1);
  const client = new pg.Client({ connectionString: `${inject("postgresUrl")}/postgres` });
  await client.connect();
  await client.query(`create database ${name}_copy template ${name}`);
  await client.end();
  return `${url}_copy`;
}

const compare = async (w: Pick<OrdersWorld, "ctx">, isThorough: boolean) => {
  for (const asset of assets) await checkHistory(w.ctx, asset, { isThorough });
};
const paidTo = (w: OrdersWorld, address: string) => [...w.usdt.paid, ...w.mob.paid].filter(({ to }) => to === address);

/**
 * Backs up an exchange with one order in each direction that waits for its deposit, before its first
 * payment. Then both are paid, and the backup is restored.
 */
async function restore() {
  const url = await createTestPostgres();
  const original = await openDatabase(url);
  const { fakes } = createTestContext(original);
  // Like the start of the exchange.
  await compare({ ctx: createTestContext(original, { chains: fakes }).ctx }, true);
  const before = await createOrdersWorld(original, { chains: fakes });
  const user = await before.createUser();
  const orders = { MOB: await before.lock(user, "USDT", "100"), USDT: await before.lock(user, "MOB", "100") };
  await open.pop()?.close();
  const backupUrl = await copyDatabase(url);

  const w1 = {
    ...(await createOrdersWorld(await openDatabase(url), { chains: fakes })),
    usdt: fakes.USDT,
    mob: fakes.MOB,
  };
  const settle = async (w: Pick<OrdersWorld, "tick">) => {
    for (let i = 0; i < 4; i += 1) {
      fakes.USDT.mine(3);
      fakes.MOB.mine(1);
      await w.tick();
    }
  };
  fakes.USDT.deposit(orders.MOB.fundingAddress, orders.MOB.sourceAmount);
  fakes.MOB.deposit(orders.USDT.fundingAddress, orders.USDT.sourceAmount);
  await settle(w1);
  await compare(w1, false);
  expect(await getSwitchReason(w1.ctx.db, "payments"), "the original knows its payments").toBeNull();
  const lost = await w1.lock(user, "USDT", "50");

  const backup = await openDatabase(backupUrl);
  await compare({ ctx: createTestContext(backup, { chains: fakes }).ctx }, true);
  const w = { ...(await createOrdersWorld(backup, { chains: fakes })), usdt: fakes.USDT, mob: fakes.MOB };
  const setup = { databaseUrl: backupUrl, exchange: testConfig, confirmations: { USDT: 3, MOB: 1 } } as ExchangeSetup;
  const operate = (line: string) => runOperatorCommand(line.split(" "), () => openOperator(setup, w.ctx.log));
  return { w, user, orders, lost, operate, settle: () => settle(w) };
}

/** A restored backup whose operator switches everything on without having compared the payments. */
async function restoreCarelessly() {
  const restored = await restore();
  const { operate, settle } = restored;
  await settle();
  expect(await operate("accept-nonce 1")).toMatchObject({ exitCode: 0 });
  for (const name of ["payments", "swaps"]) await operate(`on ${name}`);
  await settle();
  return restored;
}

describe("a backup from before the first payment", () => {
  it("is detected before anything is paid, on both chains, and no order is paid twice (T48)", async () => {
    const { w, user, orders, operate, settle } = await restore();
    expect(await getSwitchReason(w.ctx.db, "payments")).toMatch(/Was a backup restored/);
    await expect(w.lock(user, "USDT", "50")).rejects.toMatchObject({ code: "swaps_stopped" });
    const status = (await operate("status")).stdout;
    for (const asset of assets) {
      const [payment] = paidTo(w, orders[asset].deliveryAddress);
      expect(status.join("\n")).toContain(`(${payment?.hash}), which this database does not know`);
    }

    // Even if payments are switched on too early, what may be paid already waits.
    await settle();
    expect((await operate("accept-nonce 1")).exitCode).toBe(0);
    await operate("on payments");
    await operate("on swaps");
    await settle();
    for (const asset of assets) {
      expect(paidTo(w, orders[asset].deliveryAddress)).toHaveLength(1);
      expect((await w.see(user, orders[asset].id)).status).toBe("paying_out");
      const [, id, hash] =
        /run "operate mark-paid (\S+) (\S+)"; if not/.exec(
          (await operate("status")).stdout.find((line) => line.includes(orders[asset].id)) ?? "",
        ) ?? [];
      expect(await operate(`mark-paid ${id} ${hash}`)).toMatchObject({ exitCode: 0 });
      expect((await w.see(user, orders[asset].id)).status).toBe("completed");
    }
    await compare(w, false);
    expect((await operate("status")).stdout.filter((line) => line.startsWith("waiting:"))).toEqual([]);
    expect(await getSwitchReason(w.ctx.db, "payments")).toBeNull();

    const next = await w.lock(user, "USDT", "20");
    w.usdt.deposit(next.fundingAddress, 20_000_000n);
    await settle();
    expect((await w.see(user, next.id)).status).toBe("completed");
  });

  it("keeps an operator from paying or refunding again what an unknown payment may have paid (T48)", async () => {
    const { w, user, orders, operate, settle } = await restoreCarelessly();
    const { id, accountId, deliveryAddress } = orders.MOB;
    const [parked] = await w.ctx.db.select().from(payments).where(eq(payments.orderId, id));
    expect(parked).toMatchObject({ status: "planned", parkedAt: expect.any(Date) });
    const saved = { address: "another", canonical: "another", type: "ETH" as const };
    const createdAt = await w.ctx.clock.now(w.ctx.db);
    await w.ctx.db.insert(deliveryAddresses).values({ ...saved, id: "another", accountId, label: "", createdAt });
    expect(await operate(`readdress ${parked?.id} another`)).toMatchObject({ exitCode: 1 });
    expect(await operate(`refund ${id}`)).toMatchObject({ exitCode: 1 });
    await settle();
    expect(paidTo(w, "another")).toHaveLength(0);
    // Once the operator has found out that it was for something else, both are possible again.
    for (const { hash } of paidTo(w, deliveryAddress)) await operate(`accept-payment ${hash}`);
    expect(await operate(`refund ${id}`)).toMatchObject({ exitCode: 0 });
    expect((await w.see(user, id)).status).toBe("refunding");
  });

  it("refunds no held order whose payout may have been made, and ends the hold when that is certain (T48)", async () => {
    const { w, user, orders, operate, settle } = await restoreCarelessly();
    const { id, deliveryAddress, refundAddress } = orders.MOB;
    const [parked] = await w.ctx.db.select().from(payments).where(eq(payments.orderId, id));
    const sent = paidTo(w, refundAddress).length;
    expect(await operate(`hold ${id} We are checking this swap.`)).toMatchObject({ exitCode: 0 });
    expect(await operate(`refund ${id}`)).toMatchObject({ exitCode: 1 });
    w.wait(73 * 3_600_000);
    await settle();
    expect((await w.see(user, id)).status).toBe("on_hold");
    const [paid] = paidTo(w, deliveryAddress);
    expect(await operate(`mark-paid ${parked?.id} ${paid?.hash}`)).toMatchObject({ exitCode: 0 });
    await settle();
    expect((await w.see(user, id)).status).toBe("completed");
    expect(paidTo(w, deliveryAddress)).toHaveLength(1);
    expect(paidTo(w, refundAddress), "no refund").toHaveLength(sent);
  });

  it("gives out no funding address of an order that it has forgotten, even if that is not paid yet (T48)", async () => {
    const { w, user, lost, operate } = await restore();
    for (const { hash } of [...w.usdt.paid, ...w.mob.paid]) await operate(`accept-payment ${hash}`);
    for (const name of ["payments", "swaps"]) await operate(`on ${name}`);
    const order = await w.lock(user, "USDT", "50");
    expect(order.number).toBeGreaterThan(lost.number + 1_000);
    expect(order.fundingAddress).not.toBe(lost.fundingAddress);
  });
});

it("skips order numbers when the tables are not those of the last start (T48)", async () => {
  const database = await openDatabase(await createTestPostgres());
  const { ctx } = createTestContext(database);
  const w = await createOrdersWorld(database);
  await checkHistory(ctx, "USDT", { isThorough: true });
  const user = await w.createUser();
  await skipNumbersOfRestored(ctx);
  const { number } = await w.lock(user, "USDT", "50");
  await ctx.db.update(walletHistories).set({ databaseId: "the server of the backup" });
  await skipNumbersOfRestored(ctx);
  await skipNumbersOfRestored(ctx);
  const skipped = await w.lock(user, "USDT", "50");
  expect(skipped.number).toBeGreaterThan(number + 10_000);
  expect((await w.lock(user, "USDT", "50")).number).toBe(skipped.number + 1);
});

it("skips other order numbers when the same backup is restored again (T48)", async () => {
  const database = await openDatabase(await createTestPostgres());
  const w = await createOrdersWorld(database);
  await checkHistory(w.ctx, "USDT", { isThorough: true });
  const user = await w.createUser();
  const restoreAndLock = async () => {
    await w.ctx.db.execute(sql`select setval('orders_number_seq', 1)`);
    await w.ctx.db.update(walletHistories).set({ databaseId: "the server of the backup" });
    await skipNumbersOfRestored(w.ctx);
    await w.tick();
    return [await w.lock(user, "USDT", "50"), await w.lock(user, "USDT", "50")].map((order) => order.fundingAddress);
  };
  const first = await restoreAndLock();
  w.wait(61_000);
  const second = await restoreAndLock();
  expect(new Set([...first, ...second]).size).toBe(4);
});

import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenDatabase, openPostgres } from "../../../app/exchange.server/db/open";
import { type Operator, openOperator } from "../../../app/exchange.server/operator";
import type { ExchangeSetup } from "../../../app/exchange.server/setup";
import { createOrdersWorld, type OrdersWorld } from "../../support/orders-world";
import { createTestPostgres } from "../../support/postgres";
import { testConfig } from "../../support/test-config";

let database: OpenDatabase;
let w: OrdersWorld;
let operator: Operator;

beforeAll(async () => {
  const databaseUrl = await createTestPostgres();
  database = await openPostgres(databaseUrl);
  w = await createOrdersWorld(database);
  const setup = { databaseUrl, exchange: testConfig, confirmations: { USDT: 3, MOB: 1 } } as ExchangeSetup;
  operator = await openOperator(setup, pino({ level: "silent" }));
});
afterAll(async () => {
  await operator?.close();
  await database?.close();
});

test("an operator holds an order and refunds it; the running exchange sends the money", async () => {
  const user = await w.createUser();
  const order = await w.lock(user, "USDT", "100");
  w.usdt.deposit(order.fundingAddress, 100_000_000n);
  await w.tick();
  await operator.hold(order.id, "A question from the bank.");
  await w.settle();
  expect(await w.see(user, order.id)).toMatchObject({
    status: "on_hold",
    hold: { reason: "A question from the bank." },
  });
  await operator.refund(order.id);
  await w.settle();
  expect((await w.see(user, order.id)).status).toBe("refunded");
});

test("an operator lets a held order go on", async () => {
  const user = await w.createUser();
  const order = await w.lock(user, "USDT", "100");
  w.usdt.deposit(order.fundingAddress, 100_000_000n);
  await w.tick();
  await operator.hold(order.id, "A look.");
  await w.settle();
  await operator.release(order.id);
  await w.settle();
  expect((await w.see(user, order.id)).status).toBe("completed");
});

test("an operator books what was brought to the wallet, and the books balance", async () => {
  const [before] = (await operator.describe()).filter((line) => line.startsWith("house") && line.endsWith("USDT"));
  await operator.addFloat("USDT", "5000");
  await operator.addFloat("USDT", "-5000");
  expect(await operator.describe()).toContain(before);
  expect(await operator.checkBooks()).toEqual([]);
});

test("an operator stops new swaps and lets them go on", async () => {
  const user = await w.createUser();
  await operator.turnOff("swaps", "Maintenance.");
  await expect(w.lock(user, "USDT", "100")).rejects.toMatchObject({ code: "swaps_stopped" });
  await operator.turnOn("swaps");
  await w.lock(user, "USDT", "100");
});

test("without PostgreSQL there is no operator beside the site", async () => {
  await expect(openOperator({ databaseUrl: null } as ExchangeSetup, pino())).rejects.toThrow("set DATABASE_URL");
});

import { execFile } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenDatabase, openPostgres } from "../../../app/exchange.server/db/open";
import { type Operator, openOperator } from "../../../app/exchange.server/operator/operator";
import { OperatorError } from "../../../app/exchange.server/operator/operator-error";
import type { ExchangeSetup } from "../../../app/exchange.server/setup";
import { toOrderNumber } from "../../../app/lib/order-number";
import { createOrdersWorld, type OrdersWorld } from "../../support/orders-world";
import { createTestPostgres } from "../../support/postgres";
import { freePort } from "../../support/raw-http";
import { testConfig } from "../../support/test-config";

const log = pino({ level: "silent" });

describe("an operator", () => {
  let database: OpenDatabase;
  let w: OrdersWorld;
  let operator: Operator;

  beforeAll(async () => {
    const databaseUrl = await createTestPostgres();
    database = await openPostgres(databaseUrl);
    w = await createOrdersWorld(database);
    const setup = { databaseUrl, exchange: testConfig, confirmations: { USDT: 3, MOB: 1 } } as ExchangeSetup;
    operator = await openOperator(setup, log);
  });
  afterAll(async () => {
    await operator?.close();
    await database?.close();
  });

  it("holds an order and refunds it; the running exchange sends the money", async () => {
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

  it("releases a held order, which then completes", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.tick();
    // An owner who writes to us names the number on the order's page.
    const number = toOrderNumber(order.quoteId);
    await operator.hold(number.toLowerCase(), "A check.");
    await w.settle();
    await operator.release(number);
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
  });

  it("books an amount added to the wallet, and the books balance", async () => {
    const [before] = (await operator.describe()).filter((line) => line.startsWith("house") && line.endsWith("USDT"));
    await operator.addFloat("USDT", "5000");
    await operator.addFloat("USDT", "-5000");
    expect(await operator.describe()).toContain(before);
    expect(await operator.checkBooks()).toEqual([]);
  });

  it("pauses and resumes new swaps", async () => {
    const user = await w.createUser();
    await operator.turnOff("swaps", "Maintenance.");
    await expect(w.lock(user, "USDT", "100")).rejects.toMatchObject({ code: "swaps_stopped" });
    await operator.turnOn("swaps");
    await w.lock(user, "USDT", "100");
  });

  it("ends the alert about a transfer that is older than its order, and no other alert", async () => {
    const user = await w.createUser();
    const { id, quoteId, fundingAddress } = await w.lock(user, "USDT", "100");
    const hash = w.usdt.deposit(fundingAddress, 5_000_000n, { at: new Date(Date.now() - 3_600_000) });
    await w.tick();
    const waiting = async () => (await operator.getStatus()).waiting.map(({ subject }) => subject);
    expect(await waiting()).toEqual([`transfer:${hash}:0`]);
    const number = toOrderNumber(quoteId);
    expect((await operator.getStatus()).waiting).toMatchObject([{ order: id, number }]);
    const line = (await operator.describe()).find((text) => text.startsWith("waiting:"));
    expect(line).toContain(`waiting: transfer:${hash}:0 of order ${number} (${id}): `);
    await expect(operator.dismissTransfer("transfer:another")).rejects.toThrow(OperatorError);
    await operator.dismissTransfer(`transfer:${hash}:0`);
    expect(await waiting()).toEqual([]);
  });

  it("reads the same status for people and for programs", async () => {
    const { house, swaps, payments } = await operator.getStatus();
    expect(await operator.describe()).toEqual(
      expect.arrayContaining([
        `swaps: ${swaps.reason ?? "on"}`,
        `payments: ${payments.reason ?? "on"}`,
        `house: ${house.USDT} USDT`,
        `house: ${house.MOB} MOB`,
      ]),
    );
    expect(await operator.getReserves()).toEqual([]);
  });

  it("gets one sentence that names the wrong argument", async () => {
    const user = await w.createUser();
    const { id } = await w.lock(user, "USDT", "100");
    const refusals: [() => Promise<void>, RegExp][] = [
      [
        () => operator.hold("no-such-order", "A check."),
        /^There is no order no-such-order: check ORDER and DATABASE_URL\.$/,
      ],
      [() => operator.release("no-such-order"), /^There is no order no-such-order: check ORDER/],
      [() => operator.refund("no-such-order"), /^There is no order no-such-order: check ORDER/],
      [() => operator.hold(id, "A check."), new RegExp(`^Order ${id} cannot be held: it has no deposit`)],
      [() => operator.release(id), new RegExp(`^Order ${id} is not on hold\\.$`)],
      [() => operator.refund(id), new RegExp(`^Order ${id} cannot be refunded: it is neither on hold nor waiting`)],
      [() => operator.addFloat("USDT", "1.0000001"), /^AMOUNT is not an amount of USDT/],
      [() => operator.addFloat("MOB", "many"), /^AMOUNT is not an amount of MOB/],
      [() => operator.addFloat("USDT", "0"), /^AMOUNT is not an amount of USDT/],
      [
        () => operator.addFloat("USDT", "-99999999999"),
        /^The treasury holds less than 99999999999 USDT: lower AMOUNT\.$/,
      ],
    ];
    for (const [refusal, message] of refusals) {
      const error: unknown = await refusal().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(OperatorError);
      expect((error as OperatorError).message).toMatch(message);
    }
    expect(await operator.checkBooks()).toEqual([]);
  });
});

describe("npm run operate", () => {
  const operate = (environment: Record<string, string>) =>
    new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      const env: NodeJS.ProcessEnv = {
        NODE_ENV: "test",
        PATH: process.env.PATH,
        DATA_DIR: mkdtempSync(join(tmpdir(), "antelope-operate-")),
        ...environment,
      };
      execFile("node_modules/.bin/tsx", ["app/commands/operate.ts", "status"], { env }, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, stdout, stderr }),
      );
    });

  it("fails with one sentence without DATABASE_URL", async () => {
    expect(await operate({})).toEqual({
      code: 1,
      stdout: "",
      stderr: "The operator needs the exchange's PostgreSQL: set DATABASE_URL.\n",
    });
  });

  it("fails with one sentence, without the password, if the database does not answer", async () => {
    const port = await freePort();
    expect(await operate({ DATABASE_URL: `postgres://antelope:secret@127.0.0.1:${port}/antelope` })).toEqual({
      code: 1,
      stdout: "",
      stderr: `PostgreSQL at postgres://127.0.0.1:${port}/… does not accept connections: check DATABASE_URL.\n`,
    });
  });

  it("names each variable of an invalid configuration", async () => {
    const { code, stdout, stderr } = await operate({ FEE_BPS: "many" });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^The configuration is invalid:\n {2}- FEE_BPS: [^\n]+\n$/);
  });
});

import pino from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type OpenDatabase, openPostgres } from "~/exchange.server/db/open";
import { siteSettings } from "~/exchange.server/db/schema/site-settings";
import { createExchange } from "~/exchange.server/exchange";
import { type Operator, openOperator } from "~/exchange.server/operator/operator";
import { createTestContext } from "../../support/context";
import { toOperatorSetup } from "../../support/operator-setup";
import { createTestPostgres } from "../../support/postgres";
import { testConfig } from "../../support/test-config";

const log = pino({ level: "silent" });
const changed = { ...testConfig, recoveryHoldMs: 259_200_000, refundMaxUsdt: 1_000_500_000n };
let url: string;
let database: OpenDatabase;
beforeAll(async () => {
  url = await createTestPostgres();
  database = await openPostgres(url);
});
afterAll(() => database?.close());

/** Starts an exchange with these settings, and stops it. */
async function run(config: typeof testConfig): Promise<void> {
  const { mail, kyc, rateSource, chains } = createTestContext(database).ctx;
  const external = {
    chains,
    forbiddenDeliveryAddresses: [],
    connect: async () => ({ mail, kyc, rateSource, sandbox: null }),
    stop: async () => undefined,
  };
  const { workers } = await createExchange({ database, external, config, log });
  await workers.start();
  await workers.stop();
}

async function operate<T>(config: typeof testConfig, action: (operator: Operator) => Promise<T>): Promise<T> {
  const { chains } = createTestContext(database).ctx;
  const confirmations = { USDT: chains.USDT.requiredConfirmations, MOB: chains.MOB.requiredConfirmations };
  const operator = await openOperator({ ...toOperatorSetup(url), confirmations, exchange: config }, log, "ada");
  try {
    return await action(operator);
  } finally {
    await operator.close();
  }
}

const readSettings = (config: typeof testConfig) =>
  operate(config, async (operator) => (await operator.getStatus()).settings);

it("T65 commands whose limits differ from the site's change no order, payment or deposit, but can still stop payments", async () => {
  expect(await readSettings(testConfig), "before the first start").toBeNull();
  await run(changed);
  const settings = await readSettings(testConfig);
  expect(settings).toBe(
    "RECOVERY_HOLD_MS is 86400000 here and 259200000 for the site, REFUND_MAX_USDT is 10000 here and 1000.5 for the site: run the command with the limits of the site, or restart the site if they have changed.",
  );
  await operate(testConfig, async (operator) => {
    for (const refused of [
      operator.retryPayment("payment"),
      operator.readdressPayment("payment", "0xa1"),
      operator.writeOff("deposit"),
    ]) {
      await expect(refused).rejects.toThrow(settings ?? "");
    }
    await expect(operator.hold("ORDER", "A check."), "a hold only stops something").rejects.toThrow("ORDER");
    await operator.turnOff("payments", "A check.");
    await operator.turnOn("payments");
  });

  expect(await readSettings(changed)).toBeNull();
  await operate(changed, (operator) => expect(operator.retryPayment("payment")).rejects.toThrow("There is no payment"));
  await run({ ...testConfig, role: "web" });
  expect(await readSettings(changed), "after a start that runs no jobs").toBeNull();
  await run(testConfig);
  expect(await readSettings(testConfig), "after a restart with other limits").toBeNull();

  await database.db.insert(siteSettings).values({ name: "OF_ANOTHER_VERSION", value: "1" });
  expect(await readSettings(testConfig)).toBeNull();
});

import { eq } from "drizzle-orm";
import pino from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseConfig } from "~/config/config.server";
import { type OpenDatabase, openPostgres } from "~/exchange.server/db/open";
import { chainStates } from "~/exchange.server/db/schema/chains";
import { openOperator } from "~/exchange.server/operator/operator";
import { OperatorError } from "~/exchange.server/operator/operator-error";
import { requireNetworks } from "~/exchange.server/startup-checks/require-networks";
import { StartupError } from "~/lib/startup-error";
import { createFakeChain } from "../../support/fake-chain";
import { toOperatorSetup } from "../../support/operator-setup";
import { createTestPostgres } from "../../support/postgres";
import { testConfig } from "../../support/test-config";
import { openTestDatabase } from "../../support/test-database";

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase("PostgreSQL");
});
afterAll(() => database?.close());

it("an exchange refuses a database that was used on another network", async () => {
  const { db } = database;
  const options = { confirmations: 1, now: Date.now, nonces: false, hasBlockTimes: true };
  const chains = { USDT: createFakeChain("USDT", options), MOB: createFakeChain("MOB", options) };
  await requireNetworks(database, chains);
  await db.insert(chainStates).values({ asset: "USDT", chainId: "11155111" });
  await requireNetworks(database, chains);
  await db.insert(chainStates).values({ asset: "MOB", chainId: "sandbox" });
  const error: unknown = await requireNetworks(database, chains).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StartupError);
  expect((error as Error).message).toBe(
    "The database belongs to the MobileCoin network sandbox, not test: set DATABASE_URL to a new database, or to this network's database.",
  );
  await expect(requireNetworks({ ...database, kind: "pglite" }, chains)).rejects.toThrow("DATA_DIR");
});

it("an operator with another network's settings, or without the site's, cannot change a database", async () => {
  const url = await createTestPostgres();
  const { db, close } = await openPostgres(url);
  let settings: string | null = null;
  const open = async (environment: Record<string, string>) => {
    const { networks } = parseConfig({ SESSION_SECRET: testConfig.secret, ...environment });
    const operator = await openOperator({ ...toOperatorSetup(url), networks }, pino({ level: "silent" }), "ada");
    try {
      ({ settings } = await operator.getStatus());
      await operator.turnOff("swaps", "A check.");
    } finally {
      await operator.close();
    }
  };
  await open({});
  expect(settings).toBeNull();
  await db.insert(chainStates).values([
    { asset: "USDT", chainId: "11155111" },
    { asset: "MOB", chainId: "main" },
  ]);
  const error: unknown = await open({}).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OperatorError);
  expect((error as Error).message).toBe(
    "The database belongs to the MobileCoin network main, not sandbox: run the command with the environment of the site (EXCHANGE_MODE, DATABASE_URL).",
  );
  expect(settings, "as status says before").toBe((error as Error).message);
  await db.update(chainStates).set({ chainId: "sandbox" }).where(eq(chainStates.asset, "MOB"));
  await open({});
  await close();
});

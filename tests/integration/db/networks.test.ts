import { afterAll, beforeAll, expect, it } from "vitest";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { chainStates } from "~/exchange.server/db/schema/chains";
import { requireNetworks } from "~/exchange.server/deposits/require-networks";
import { StartupError } from "~/lib/startup-error";
import { createFakeChain } from "../../support/fake-chain";
import { openTestDatabase } from "../../support/test-database";

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase("PostgreSQL");
});
afterAll(() => database?.close());

it("a database is refused by an exchange on another network than before", async () => {
  const { db } = database;
  const options = { confirmations: 1, now: Date.now, nonces: false, tellsTime: true };
  const chains = { USDT: createFakeChain("USDT", options), MOB: createFakeChain("MOB", options) };
  await requireNetworks(database, chains);
  await db.insert(chainStates).values({ asset: "USDT", chainId: "11155111" });
  await requireNetworks(database, chains);
  await db.insert(chainStates).values({ asset: "MOB", chainId: "sandbox" });
  const error: unknown = await requireNetworks(database, chains).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StartupError);
  expect((error as Error).message).toBe(
    "The database belongs to the MobileCoin network sandbox, not test: set DATABASE_URL to a new database, or to that of this network.",
  );
  await expect(requireNetworks({ ...database, kind: "pglite" }, chains)).rejects.toThrow("DATA_DIR");
});

import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import pino from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type OpenDatabase, openPostgres } from "~/exchange.server/db/open";
import { accessTokens, accounts, sessions } from "~/exchange.server/db/schema/accounts";
import { secretFingerprints } from "~/exchange.server/db/schema/secrets";
import { createExchange } from "~/exchange.server/exchange";
import { newId } from "~/exchange.server/ids";
import { openOperator } from "~/exchange.server/operator/operator";
import { OperatorError } from "~/exchange.server/operator/operator-error";
import { StartupError } from "~/lib/startup-error";
import { createTestContext } from "../../support/context";
import { openTestSession } from "../../support/open-test-session";
import { toOperatorSetup } from "../../support/operator-setup";
import { createTestPostgres } from "../../support/postgres";
import { testConfig } from "../../support/test-config";

const log = pino({ level: "silent" });
const other = "uT4gW8nY1kS6vB3qM9zD2xH7rC5jL0pF";
let url: string;
let database: OpenDatabase;
beforeAll(async () => {
  url = await createTestPostgres();
  database = await openPostgres(url);
});
afterAll(() => database?.close());

const start = (secret: string, mode: "live" | "sandbox" = "live") => {
  const { mail, kyc, rateSource, chains } = createTestContext(database).ctx;
  const external = {
    chains,
    forbiddenDeliveryAddresses: [],
    connect: async () => ({ mail, kyc, rateSource, sandbox: null }),
    stop: async () => undefined,
  };
  return createExchange({ database, external, config: { ...testConfig, mode, secret }, log });
};

async function operate(secret: string): Promise<void> {
  const exchange = { ...testConfig, mode: "live" as const, secret };
  const operator = await openOperator({ ...toOperatorSetup(url), exchange }, log, "ada");
  try {
    const { settings } = await operator.getStatus();
    await operator.turnOff("swaps", "A check.").catch((error: Error) => {
      expect(error.message, "what status says").toBe(settings);
      throw error;
    });
    expect(settings).toBeNull();
  } finally {
    await operator.close();
  }
}

/** What an operator runs to replace the secret. */
const readProcedure = () =>
  /psql "\$DATABASE_URL" -c '([^']*secret_fingerprints[^']*)'/.exec(readFileSync("docs/operating.md", "utf8"))?.[1] ??
  "";

it("a live exchange refuses a database whose secret differs, until the secret is replaced as documented, which ends all sessions", async () => {
  const { db } = database;
  await start(other, "sandbox");
  await operate(other);
  expect(await db.select().from(secretFingerprints)).toEqual([]);

  await start(testConfig.secret);
  await start(testConfig.secret);
  await operate(testConfig.secret);
  for (const [open, kind] of [
    [start, StartupError],
    [operate, OperatorError],
  ] as const) {
    const error: unknown = await open(other).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(kind);
    expect((error as Error).message).toMatch(/^SESSION_SECRET is not the one that this database is used with/);
  }
  const [stored] = await db.select().from(secretFingerprints);
  expect(JSON.stringify(stored)).not.toContain(testConfig.secret);

  const accountId = newId();
  await db.insert(accounts).values({ id: accountId, email: "ada@example.org", createdAt: new Date() });
  const sessionId = await openTestSession(db, accountId);
  await db.insert(accessTokens).values({ hash: "hash", sessionId, expiresAt: new Date(Date.now() + 60_000) });
  await db.execute(sql.raw(readProcedure()));
  expect(await db.select().from(accessTokens), "access tokens of the old secret").toEqual([]);
  expect((await db.select().from(sessions)).map(({ revokedAt }) => revokedAt)).not.toContain(null);
  await start(other);
  await expect(start(testConfig.secret)).rejects.toThrow("SESSION_SECRET");
});

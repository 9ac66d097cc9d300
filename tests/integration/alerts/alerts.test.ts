import { sql } from "drizzle-orm";
import pino from "pino";
import { expect, it } from "vitest";
import { listAlerts, raiseAlert } from "~/exchange.server/alerts/alerts";
import { repeatAlerts } from "~/exchange.server/jobs/repeat-alerts";
import { switchOff } from "~/exchange.server/switches/switches";
import { openTestDatabase } from "../../support/test-database";

it("logs an alert once, and again if its action changes, but not if its transaction is repeated or rolled back", async () => {
  const lines: unknown[] = [];
  const log = pino({ level: "fatal" }, { write: (line) => lines.push(JSON.parse(line)) });
  const database = await openTestDatabase("PostgreSQL");
  const { db } = database;
  const alert = { subject: "books", reason: "A test.", action: "Do nothing.", at: new Date() } as const;
  let attempts = 0;
  await db.transaction(async (tx) => {
    attempts += 1;
    await raiseAlert(tx, { log }, alert);
    if (attempts === 1)
      await tx.execute(sql`do $$ begin raise exception 'try again' using errcode = 'serialization_failure'; end $$`);
    expect(lines).toEqual([]);
  });
  expect([attempts, lines]).toMatchObject([2, [{ subject: "books", reason: "A test.", action: "Do nothing." }]]);

  await raiseAlert(db, { log }, { ...alert, reason: "Another reason." });
  expect(lines).toHaveLength(1);
  await raiseAlert(db, { log }, { ...alert, action: "Call somebody." });
  expect(lines).toMatchObject([{ action: "Do nothing." }, { action: "Call somebody." }]);
  expect(await listAlerts(db)).toMatchObject([{ reason: "A test.", action: "Call somebody.", since: alert.at }]);

  const rolledBack = db.transaction(async (tx) => {
    await raiseAlert(tx, { log }, { ...alert, subject: "swaps" });
    throw new Error("A test.");
  });
  await expect(rolledBack).rejects.toThrow("A test.");
  expect(lines).toHaveLength(2);
  await database.close();
});

it("logs again what waits and what the exchange has stopped, but not what an operator has stopped", async () => {
  const lines: unknown[] = [];
  const log = pino({ level: "fatal" }, { write: (line) => lines.push(JSON.parse(line)) });
  const database = await openTestDatabase("PGlite");
  const { db } = database;
  await repeatAlerts({ db, log });
  expect(lines).toEqual([]);
  const at = new Date();
  await raiseAlert(db, { log }, { subject: "books", reason: "A test.", action: "Do nothing.", at });
  await switchOff(db, "payments", { cause: "nonce:USDT", reason: "A nonce.", at });
  await switchOff(db, "swaps", { reason: "We are closed.", at });
  lines.length = 0;
  await repeatAlerts({ db, log });
  expect(lines).toMatchObject([
    { subject: "books", reason: "A test.", action: "Do nothing." },
    { name: "payments", cause: "nonce:USDT", reason: "A nonce." },
  ]);
  await database.close();
});

import pg from "pg";
import { afterEach, inject } from "vitest";
import { runOperatorCommand } from "~/commands/operator-command";
import type { ExchangeContext, RunningContext } from "~/exchange.server/context";
import { type OpenDatabase, openPostgres } from "~/exchange.server/db/open";
import { openOperator } from "~/exchange.server/operator/operator";
import { checkHistory } from "~/exchange.server/payments/history/check-history";
import { createTestContext } from "../../support/context";
import { toOperatorSetup } from "../../support/operator-setup";
import type { OrdersHarness } from "../../support/orders-harness";
import { openTestDatabase } from "../../support/test-database";

const open: OpenDatabase[] = [];
afterEach(async () => {
  for (const database of open.splice(0)) await database.close();
});

/** Opens a database until the end of the test. */
export async function openDatabase(url: string): Promise<OpenDatabase> {
  const database = await openPostgres(url);
  open.push(database);
  return database;
}

/** Opens an empty database until the end of the test, for tests that need neither its URL nor a copy of it. */
export async function openEmptyDatabase(): Promise<OpenDatabase> {
  const database = await openTestDatabase("PostgreSQL");
  open.push(database);
  return database;
}

/** Closes the database that was opened last. */
export async function closeDatabase(): Promise<void> {
  await open.pop()?.close();
}

export const nameOf = (url: string) => new URL(url).pathname.slice(1);

export async function runOnServer(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: `${inject("postgresUrl")}/postgres` });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** A copy of a database that is not open: a backup. */
export async function copyDatabase(url: string): Promise<string> {
  await runOnServer(`create database ${nameOf(url)}_copy template ${nameOf(url)}`);
  return `${url}_copy`;
}

/** Compares what our wallets have paid with the database, on both chains. */
export async function compare(w: { ctx: RunningContext }, isThorough: boolean): Promise<void> {
  for (const asset of ["USDT", "MOB"] as const) await checkHistory(w.ctx, asset, { isThorough });
}

/** Like `compare`, but thorough and with a new context, as at the exchange's start. */
export const compareAtStart = (database: OpenDatabase, fakes: OrdersHarness["chains"]) =>
  compare(createTestContext(database, { fakes }), true);

/** Runs operator commands on a database. */
export function operateOn(url: string, { log }: ExchangeContext) {
  return (line: string) => runOperatorCommand(line.split(" "), () => openOperator(toOperatorSetup(url), log, "ada"));
}

/** What the fake wallets have paid to an address. */
export const paidTo = (w: Pick<OrdersHarness, "usdt" | "mob">, address: string) =>
  [...w.usdt.paid, ...w.mob.paid].filter(({ to }) => to === address);

import { openAsBlob } from "node:fs";
import { PGlite } from "@electric-sql/pglite";
import { inject } from "vitest";
import { connectToPglite, type OpenDatabase, openPglite } from "~/exchange.server/db/open";
import type { RunningPglite } from "~/exchange.server/db/pglite";
import { sendMessages } from "~/exchange.server/db/pglite-messages.js";
import { emptyDatabase, readShape } from "./empty-database";

/** The databases that tests of this worker have closed. They are empty again. */
const idle: PGlite[] = [];
let shape: string | null = null;

/** Opens a PGlite in memory that is migrated and empty. Its `close` empties it for the next test of this worker. */
export async function openPgliteInMemory(): Promise<OpenDatabase> {
  const pglite = idle.pop() ?? (await copySnapshot());
  return connectToPglite(Promise.resolve(toRunning(pglite, () => giveBack(pglite))));
}

/** Opens a PGlite in memory that has no tables yet. */
export async function openNewPglite(): Promise<OpenDatabase> {
  const pglite = await PGlite.create("memory://");
  return openPglite(Promise.resolve(toRunning(pglite, () => pglite.close())));
}

async function copySnapshot(): Promise<PGlite> {
  const pglite = await PGlite.create("memory://", { loadDataDir: await openAsBlob(inject("pgliteSnapshot")) });
  shape ??= await readShape(pglite);
  return pglite;
}

async function giveBack(pglite: PGlite): Promise<void> {
  // A test may have ended while a transaction was open.
  await pglite.exec("rollback");
  await pglite.exec("discard all");
  if (await emptyDatabase(pglite, shape ?? "")) idle.push(pglite);
  else await pglite.close();
}

function toRunning(pglite: PGlite, close: () => Promise<void>): RunningPglite {
  return { send: (messages) => sendMessages(pglite, messages), close };
}

/**
 * The thread that runs PGlite. It gets the data directory when it starts, sends `null` once the database is open, or
 * the reason why it cannot be opened, and then responds to each batch of messages in PostgreSQL's protocol with the
 * server's messages. The message `null` closes the database.
 */
import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { answerMessages } from "./pglite-answer.js";

const port = parentPort;
if (port === null) throw new Error("pglite-worker.js runs in a thread of its own");

try {
  const { dataDir } = workerData;
  if (!existsSync(join(dataDir, "PG_VERSION"))) await createDirectory(dataDir);
  const database = await PGlite.create(dataDir);
  port.on("message", async (/** @type {Uint8Array | null} */ messages) => {
    if (messages === null) {
      await database.close();
      port.close();
      return;
    }
    const answer = await answerMessages(database, messages);
    port.postMessage(answer, [answer.buffer]);
  });
  port.postMessage(null);
} catch (error) {
  port.postMessage(error instanceof Error ? error.message : String(error));
}

/**
 * Creates the data directory under another name and then renames it, because PGlite cannot open a directory whose
 * creation was interrupted.
 * @param {string} dataDir
 */
async function createDirectory(dataDir) {
  const unfinished = `${dataDir}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  await (await PGlite.create(unfinished)).close();
  // Windows cannot replace a directory, not even an empty one.
  rmdirSync(dataDir);
  renameSync(unfinished, dataDir);
}

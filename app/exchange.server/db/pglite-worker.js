/**
 * The thread that runs PGlite. It gets the data directory when it starts, sends `null` once the database is open, or
 * the reason why it cannot be opened, and then responds to each batch of messages in PostgreSQL's protocol with the
 * server's messages. The message `null` closes the database.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { sendMessages } from "./pglite-messages.js";

const port = parentPort;
if (port === null) throw new Error("pglite-worker.js runs in a thread of its own");

/** PostgreSQL's name for the file that marks a data directory. It is moved last, so a directory with it is complete. */
const marker = "PG_VERSION";

try {
  const { dataDir } = workerData;
  if (!existsSync(join(dataDir, marker))) await createFiles(dataDir);
  const database = await PGlite.create(dataDir);
  port.on("message", async (/** @type {Uint8Array | null} */ messages) => {
    if (messages === null) {
      await database.close();
      port.close();
      return;
    }
    const response = await sendMessages(database, messages);
    port.postMessage(response, [response.buffer]);
  });
  port.postMessage(null);
} catch (error) {
  port.postMessage(error instanceof Error ? error.message : String(error));
}

/**
 * Creates the files in a directory below, and then moves them up: PGlite cannot open a directory whose creation was
 * interrupted. The data directory itself is not replaced, because it may be a mount point.
 * @param {string} dataDir
 */
async function createFiles(dataDir) {
  const unfinished = join(dataDir, "unfinished");
  const created = join(dataDir, "created");
  if (!existsSync(created)) {
    rmSync(unfinished, { recursive: true, force: true });
    // A file system has `lost+found` at its root.
    if (readdirSync(dataDir).some((name) => name !== "lost+found"))
      throw new Error(`it is not empty, but has no file ${marker}`);
    mkdirSync(unfinished, { mode: 0o700 });
    await (await PGlite.create(unfinished)).close();
    renameSync(unfinished, created);
  }
  const others = readdirSync(created).filter((name) => name !== marker);
  for (const name of [...others, marker]) renameSync(join(created, name), join(dataDir, name));
  rmdirSync(created);
}

import { resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { StartupError } from "../../lib/startup-error";
import type { SendMessages } from "./pglite-stream";
import { makePrivateDirectory } from "./private-directory";

/** A running PGlite, which has one connection. */
export type RunningPglite = {
  send: SendMessages;
  close(): Promise<void>;
};

const workerFile = resolve("app/exchange.server/db/pglite-worker.js");

/**
 * Starts PGlite in `dataDir`, in a thread of its own, so that pages do not wait while it works. The thread keeps the
 * process running only while a statement has no response yet. Only one process may use a directory, and the caller must
 * hold its lock (`lockDirectory`).
 * @throws StartupError with PGlite's reason if it cannot open the directory
 */
export async function startPglite(dataDir: string): Promise<RunningPglite> {
  // PGlite creates files that every user may read and change.
  makePrivateDirectory(dataDir);
  const worker = new Worker(workerFile, { workerData: { dataDir }, execArgv: [] });
  let owed: { resolve: (response: Uint8Array) => void; reject: (error: Error) => void } | null = null;
  let stopped: Error | null = null;
  const exited = new Promise<Error>((done) => {
    worker.once("exit", () => {
      stopped ??= new Error("the embedded database has stopped");
      owed?.reject(stopped);
      done(stopped);
    });
  });
  worker.on("error", (cause) => {
    stopped = new Error("the embedded database has stopped", { cause });
  });
  await new Promise<void>((opened, failed) => {
    worker.once("message", (reason: string | null) => (reason === null ? opened() : failed(new Error(reason))));
    void exited.then(failed);
  }).catch((cause: Error) => {
    throw new StartupError(
      `The embedded database in ${dataDir} cannot be opened (${cause.message}): restore DATA_DIR from a backup, or set it to an empty directory.`,
      { cause },
    );
  });
  worker.on("message", (response: Uint8Array) => {
    worker.unref();
    owed?.resolve(response);
    owed = null;
  });
  worker.unref();
  return {
    send: (messages) =>
      new Promise((resolve, reject) => {
        if (stopped) return reject(stopped);
        owed = { resolve, reject };
        worker.ref();
        const own = Uint8Array.from(messages);
        worker.postMessage(own, [own.buffer]);
      }),
    async close() {
      worker.ref();
      worker.postMessage(null);
      await exited;
    },
  };
}

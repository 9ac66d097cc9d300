import { existsSync, readFileSync, statSync } from "node:fs";
import { parseEnv } from "node:util";
import type { Logger } from "pino";
import { settings } from "./settings.server";

/** Read by Node.js, and by the driver of PostgreSQL. */
const isForOthers = (name: string) => /^(NODE_|PG|TZ$)/.test(name);

/** Warns about variables in .env that are not settings: a misspelled limit would be ignored. Logs no values. */
export function warnOfUnknownVariables(log: Pick<Logger, "warn">, file = ".env"): void {
  if (!existsSync(file)) return;
  const names = Object.keys(parseEnv(readFileSync(file, "utf8")))
    // Names with digits are left out: if a secret was broken over several lines, part of it may look like a variable.
    .filter((name) => /^[A-Z][A-Z_]*$/.test(name))
    .filter((name) => !(name in settings.shape) && !isForOthers(name))
    .sort();
  if (names.length > 0) log.warn({ names }, "these variables in .env are not settings: check their spelling");
}

/**
 * Warns if everyone can read .env, which contains keys. New files usually have such permissions. Does nothing on
 * Windows, because Node.js cannot read the permissions there.
 */
export function warnOfReadableFile(log: Pick<Logger, "warn">, file = ".env"): void {
  if (process.platform === "win32" || !existsSync(file)) return;
  const readableByOthers = 0o004;
  if ((statSync(file).mode & readableByOthers) === 0) return;
  log.warn("other users of this machine may be able to read the keys in .env: run chmod 600 .env");
}

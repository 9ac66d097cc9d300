/**
 * Loads .env, if there is one, before a command runs: `node --import ./app/commands/load-env.js …`. Variables already
 * set take precedence.
 */
import { accessSync, constants, existsSync } from "node:fs";
import { parse } from "node:path";
import { fileURLToPath } from "node:url";

const file = fileURLToPath(new URL("../../.env", import.meta.url));

/** An operator who cannot read the site's keys may have everything that a command needs in their own environment. */
const isOptional = parse(process.argv[1] ?? "").name === "operate" && process.env.DATABASE_URL !== undefined;

try {
  if (existsSync(file)) {
    // Reading the file shows the reason: `loadEnvFile` always says ENOENT.
    accessSync(file, constants.R_OK);
    process.loadEnvFile(file);
  }
} catch (error) {
  const { code } = /** @type {NodeJS.ErrnoException} */ (error);
  if (!isOptional || code !== "EACCES") {
    process.stderr.write(`${file} cannot be read (${code}): make it readable, or remove it.\n`);
    process.exit(1);
  }
}

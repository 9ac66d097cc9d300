/**
 * Loads .env, if there is one, before a command runs: `node --import ./app/commands/load-env.js …`. Variables already
 * set take precedence.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const file = fileURLToPath(new URL("../../.env", import.meta.url));
try {
  if (existsSync(file)) process.loadEnvFile(file);
} catch (error) {
  const { code } = /** @type {NodeJS.ErrnoException} */ (error);
  process.stderr.write(`${file} cannot be read (${code}): make it readable, or remove it.\n`);
  process.exit(1);
}

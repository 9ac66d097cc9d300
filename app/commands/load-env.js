/**
 * Loads .env, if there is one, before a command runs: `node --import ./app/commands/load-env.js …`. Variables already
 * set take precedence.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const file = fileURLToPath(new URL("../../.env", import.meta.url));
if (existsSync(file)) process.loadEnvFile(file);

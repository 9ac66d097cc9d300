/** `npm run docs:config`: writes docs/configuration.md and .env.example from the settings. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { generatedDocs } from "../config/docs.server";

for (const [path, generate] of Object.entries(generatedDocs)) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, generate());
}

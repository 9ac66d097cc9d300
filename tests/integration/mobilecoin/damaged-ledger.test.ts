import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { expect, it } from "vitest";
import { parseConfig } from "~/config/config.server";
import { startSandbox } from "~/sandbox.server/sandbox";
import { createTemporaryDirectory } from "../../support/temporary-directory";

it("a sandbox whose MobileCoin ledger is damaged says so and leaves no anvil running", async () => {
  const dataDir = createTemporaryDirectory();
  const ledger = join(dataDir, "mobilecoin", "ledger.jsonl");
  mkdirSync(join(dataDir, "mobilecoin"));
  writeFileSync(ledger, "not JSON\n");
  const starting = startSandbox(parseConfig({ DATA_DIR: dataDir }), pino({ level: "silent" }));
  await expect(starting).rejects.toThrow(`${ledger} is damaged`);
  // Stopping removes the record of the process.
  expect(existsSync(join(dataDir, "ethereum", "anvil.json"))).toBe(false);
  expect(existsSync(join(dataDir, "ethereum"))).toBe(true);
});

import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { expect, it } from "vitest";
import { parseConfig } from "~/config/config.server";
import { startSandbox } from "~/sandbox.server/sandbox";

it("a sandbox whose MobileCoin ledger is damaged says so and leaves no anvil running", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "antelope-damaged-"));
  const ledger = join(dataDir, "mobilecoin", "ledger.jsonl");
  mkdirSync(join(dataDir, "mobilecoin"));
  writeFileSync(ledger, "not JSON\n");
  const starting = startSandbox(parseConfig({ DATA_DIR: dataDir }), pino({ level: "silent" }));
  await expect(starting).rejects.toThrow(`${ledger} is damaged`);
  // Stopping removes the record of the process.
  expect(existsSync(join(dataDir, "ethereum", "anvil.json"))).toBe(false);
  expect(existsSync(join(dataDir, "ethereum"))).toBe(true);
});

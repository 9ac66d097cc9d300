import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import { StartupError } from "~/lib/startup-error";
import { openAnvil } from "~/sandbox.server/ethereum/anvil-process";
import { createTemporaryDirectory } from "../../support/temporary-directory";

it.each([
  ["exits", "exit 3"],
  ["is killed by a signal", "kill -KILL $$"],
])("reports at once that the chain cannot start if anvil %s", { timeout: 20_000 }, async (_, command) => {
  const dataDir = createTemporaryDirectory();
  const binary = join(dataDir, "anvil");
  writeFileSync(binary, `#!/bin/sh\necho "not today" >&2\n${command}\n`, { mode: 0o755 });
  const starting = openAnvil({ dataDir, binary, log: pino({ level: "silent" }) });
  await expect(starting).rejects.toThrow(StartupError);
  await expect(starting).rejects.toThrow(/does not run here.* not today$/);
});

it("tries another port if anvil's was taken in the meantime", { timeout: 20_000 }, async () => {
  const dataDir = createTemporaryDirectory();
  const binary = join(dataDir, "anvil");
  const first = join(dataDir, "first-port");
  writeFileSync(
    binary,
    `#!${process.execPath}
const { existsSync, writeFileSync } = require("node:fs");
const { createServer } = require("node:http");
const port = process.argv[process.argv.indexOf("--port") + 1];
if (!existsSync("${first}")) {
  writeFileSync("${first}", port);
  process.exit(1);
}
const body = JSON.stringify({ jsonrpc: "2.0", id: 1, result: "0xaa36a7" });
createServer((_, response) => response.end(body)).listen(port, "127.0.0.1");
`,
    { mode: 0o755 },
  );
  const anvil = await openAnvil({ dataDir, binary, log: pino({ level: "silent" }) });
  onTestFinished(() => anvil.stop());
  expect(anvil.isAlive()).toBe(true);
  expect(anvil.rpcUrl).not.toBe(`http://127.0.0.1:${readFileSync(first, "utf8")}`);
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { expect, it } from "vitest";
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

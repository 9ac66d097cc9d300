import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, expect, it } from "vitest";
import { answers } from "~/exchange.server/chains/full-service-answers";
import { mob, startWorld } from "./world";

let dataDir: string | null = null;
afterEach(async () => {
  if (dataDir) await rm(dataDir, { recursive: true });
});

it("a sandbox killed in the middle of its work has every payment that it had acknowledged (T46)", async () => {
  dataDir = await mkdtemp(join(tmpdir(), "antelope-mob-kill-"));
  const script = "tests/integration/mobilecoin/paying-process.ts";
  const child = spawn(process.execPath, ["--import", "tsx", script, dataDir], { stdio: ["ignore", "pipe", "inherit"] });
  const limit = setTimeout(() => child.kill("SIGKILL"), 20_000);
  const acknowledged: string[] = [];
  for await (const hash of createInterface({ input: child.stdout })) {
    acknowledged.push(hash);
    if (acknowledged.length === 20) child.kill("SIGKILL");
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  clearTimeout(limit);
  expect(acknowledged.length).toBeGreaterThanOrEqual(20);

  const { sandbox, service } = await startWorld({ dataDir });
  try {
    for (const public_key of acknowledged) {
      await service.call("get_txo_block_index", { public_key }, answers.blockIndex);
    }
    const { balance, received } = sandbox.wallet();
    // The payments went to the wallet itself: what is missing are the fees, one for each.
    expect(balance).toBe(mob(100_000) - BigInt(received.length) * 400_000_000n);
  } finally {
    await sandbox.stop();
  }
});

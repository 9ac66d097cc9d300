import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, expect, it } from "vitest";
import { responses } from "~/exchange.server/chains/mobilecoin/full-service-responses";
import { type Bundle, bundle } from "../../support/bundle";
import { mob, startTestnet } from "./setup";

let script: Bundle | null = null;
let dataDir: string | null = null;
afterEach(async () => {
  await script?.remove();
  if (dataDir) await rm(dataDir, { recursive: true });
});

it("keeps every acknowledged payment when the sandbox is killed while it works (T46)", async () => {
  dataDir = await mkdtemp(join(tmpdir(), "antelope-mob-kill-"));
  script = await bundle("tests/integration/mobilecoin/paying-process.ts");
  const child = spawn(process.execPath, [script.path, dataDir], { stdio: ["ignore", "pipe", "inherit"] });
  const limit = setTimeout(() => child.kill("SIGKILL"), 100_000);
  const acknowledged: string[] = [];
  for await (const hash of createInterface({ input: child.stdout })) {
    acknowledged.push(hash);
    if (acknowledged.length === 20) child.kill("SIGKILL");
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  clearTimeout(limit);
  expect(acknowledged.length).toBeGreaterThanOrEqual(20);

  const { sandbox, service } = await startTestnet({ dataDir });
  try {
    for (const public_key of acknowledged) {
      await service.call("get_txo_block_index", { public_key }, responses.blockIndex);
    }
    const { balance, received } = sandbox.wallet();
    // The wallet paid itself, so only the fees are missing, one per payment.
    expect(balance).toBe(mob(100_000) - BigInt(received.length) * 400_000_000n);
  } finally {
    await sandbox.stop();
  }
}, 120_000);

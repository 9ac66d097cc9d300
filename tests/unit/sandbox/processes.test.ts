import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { terminateProcess } from "~/sandbox.server/ethereum/processes";

it("does not fail if the process ends by itself just before the signal", async () => {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(child, "exit");
  // The check saw the process while it was still running.
  await expect(terminateProcess(Number(child.pid), () => true, 1_000)).resolves.toBeUndefined();
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";

it("a command whose reader has closed the pipe, such as head, ends quietly with its own exit code", async () => {
  const child = spawn(process.execPath, ["--import", "tsx", "app/commands/operate.ts"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  child.stdout.destroy();
  const [status] = (await once(child, "close")) as [number];
  expect({ status, errors }).toEqual({ status: 2, errors: "" });
});

import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Bundle, bundle } from "../../support/bundle";

type Opened = { faults: string[]; orders: string[] };

const source = fileURLToPath(new URL("./pglite-process.ts", import.meta.url));
let script: Bundle;
let dataDir: string;
let child: ChildProcess | undefined;
beforeAll(async () => {
  script = await bundle(source);
  dataDir = await mkdtemp(join(tmpdir(), "antelope-pglite-kill-"));
}, 180_000);
afterAll(async () => {
  child?.kill("SIGKILL");
  await script?.remove();
  await rm(dataDir, { recursive: true, force: true });
});

/** Opens the directory in a process and kills it after it has made `count` orders. */
async function openAndKill(count: number): Promise<{ opened: Opened; locked: string[] }> {
  // Optimizing PGlite's WebAssembly would take longer than what the process does with it.
  const running = spawn(process.execPath, ["--liftoff-only", script.path, dataDir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  child = running;
  let opened: Opened | undefined;
  const locked: string[] = [];
  for await (const text of createInterface({ input: running.stdout })) {
    const line = JSON.parse(text) as Opened | { locked: string };
    if ("faults" in line) opened = line;
    else locked.push(line.locked);
    // The process goes on until the signal arrives, so it dies at any point of the next steps.
    if (opened && locked.length >= count) running.kill("SIGKILL");
  }
  if (running.exitCode === null && running.signalCode === null) await once(running, "exit");
  expect(running.signalCode).toBe("SIGKILL");
  if (!opened) throw new Error("the directory was not opened");
  return { opened, locked };
}

it("T62 opens an embedded database again after each of ten kills, with every order that was stored", async () => {
  const stored = new Set<string>();
  for (let kill = 0; kill <= 10; kill += 1) {
    const { opened, locked } = await openAndKill(kill === 10 ? 0 : randomInt(1, 8));
    expect(opened.faults).toEqual([]);
    expect(opened.orders).toEqual(expect.arrayContaining([...stored]));
    for (const id of locked) stored.add(id);
  }
  expect(stored.size).toBeGreaterThanOrEqual(10);
}, 600_000);

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Bundle, bundle } from "../../support/bundle";
import { createDataDirectory } from "../../support/data-directory";

type Opened = { faults: string[]; orders: string[] };

const source = fileURLToPath(new URL("./pglite-process.ts", import.meta.url));
let script: Bundle;
let dataDir: string;
let child: ChildProcess | undefined;
beforeAll(async () => {
  script = await bundle(source);
  dataDir = await createDataDirectory("pglite-kill");
}, 180_000);
afterAll(async () => {
  child?.kill("SIGKILL");
  await script?.remove();
  await rm(dataDir, { recursive: true, force: true });
});

/** Opens the directory in a process and kills it after it has made `count` orders. */
async function openAndKill(count: number): Promise<{ opened: Opened; locked: string[] }> {
  // Compiling PGlite's WebAssembly with optimisations would take longer than the process runs.
  const running = spawn(process.execPath, ["--liftoff-only", script.path, join(dataDir, "database")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  child = running;
  let opened: Opened | undefined;
  const locked: string[] = [];
  for await (const text of createInterface({ input: running.stdout })) {
    const line = JSON.parse(text) as Opened | { locked: string };
    if ("faults" in line) opened = line;
    else locked.push(line.locked);
    // The process keeps running until the signal arrives, so it may die at any point in the next steps.
    if (opened && locked.length >= count) running.kill("SIGKILL");
  }
  if (running.exitCode === null && running.signalCode === null) await once(running, "exit");
  expect(running.signalCode).toBe("SIGKILL");
  if (!opened) throw new Error("the directory was not opened");
  return { opened, locked };
}

/** The same numbers of orders in every run. Set MODEL_SEED to a number to try others. */
const seed = Number(process.env.MODEL_SEED ?? 62);

it("T62 opens an embedded database again after each of ten kills, with every order that was stored", async () => {
  const stored = new Set<string>();
  const counts = [...fc.sample(fc.integer({ min: 1, max: 7 }), { seed, numRuns: 10 }), 0];
  for (const [kill, count] of counts.entries()) {
    const { opened, locked } = await openAndKill(count);
    const when = `after kill ${kill}, of processes with at least ${counts} orders each`;
    expect(opened.faults, when).toEqual([]);
    expect(opened.orders, when).toEqual(expect.arrayContaining([...stored]));
    for (const id of locked) stored.add(id);
  }
  expect(stored.size).toBeGreaterThanOrEqual(10);
}, 600_000);

import { afterAll, beforeAll, expect, it } from "vitest";
import { buildWorker } from "../../simulation/bundle";
import { openSimulatedDatabase, type SimulatedDatabase } from "../../simulation/database";
import { mutants } from "../../simulation/mutants";
import { play, toSteps } from "../../simulation/play";
import { regressions } from "../../simulation/regressions";
import { prepareSnapshot } from "../../simulation/snapshot";
import type { Step } from "../../simulation/steps";
import { playSeeds } from "../../simulation/worker-pool";
import type { Bundle } from "../../support/bundle";

let database: SimulatedDatabase;
/** The worker without a fault. */
let worker: Bundle;
beforeAll(async () => {
  database = await openSimulatedDatabase(await prepareSnapshot());
  worker = await buildWorker(null);
});
afterAll(async () => {
  await database?.close();
  await worker?.remove();
});

const oneWorker = { workers: 1, maxFailures: 1, isShrunk: false };

it("T53 random histories with the seeds 1 to 200 never lose money or pay twice", async () => {
  const { played, failed } = await playSeeds({ ...oneWorker, first: 1, count: 200, isShrunk: true, worker });
  expect(failed).toEqual([]);
  expect(played).toBe(200);
}, 1_200_000);

it.each(regressions)("T53 $name", async ({ seed, steps }) => {
  expect((await play(database, seed, steps)).failure).toBeNull();
});

it("T53 a history writes the same when it is played again, with and without cached results", async () => {
  const seed = 8;
  const steps = toSteps(seed);
  const written: string[][] = [];
  const traces = new Set<string>();
  for (const remember of [true, false]) {
    const writes: string[] = [];
    const fresh = await openSimulatedDatabase(await prepareSnapshot(), {
      remember,
      onWrite: (statement) => writes.push(statement),
    });
    const { failure, trace } = await play(fresh, seed, steps);
    expect(failure).toBeNull();
    traces.add(trace);
    await fresh.close();
    written.push(writes);
  }
  expect(written[0]?.length).toBeGreaterThan(100);
  expect(written[1]).toEqual(written[0]);
  // And in a worker, whose drizzle is faster.
  const { trace } = await playSeeds({ ...oneWorker, first: seed, count: 1, worker });
  expect([...traces]).toEqual([trace]);
}, 600_000);

it("T53 a history leaves nothing behind, even after a restored backup", async () => {
  const steps: Step[] = [{ kind: "order", source: "USDT", usdt: 100 }, { kind: "backup" }, { kind: "restore" }];
  const once = await play(database, 5, steps);
  expect(once.failure).toBeNull();
  expect(await play(database, 5, steps)).toEqual(once);
});

it("T53 a planted fault is found, and its history fails in the same way again", async () => {
  const mutant = mutants.find(({ name }) => name.startsWith("13: a restored backup gives out"));
  const faulty = await buildWorker(mutant ?? null);
  const find = () => playSeeds({ ...oneWorker, first: 3, count: 1, worker: faulty });
  const [once, again] = await Promise.all([find(), find()]).finally(() => faulty.remove());
  expect(once.failed).toHaveLength(1);
  expect(again.failed).toEqual(once.failed);
}, 600_000);

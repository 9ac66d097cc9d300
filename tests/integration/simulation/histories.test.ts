import { afterAll, beforeAll, expect, test } from "vitest";
import { playSeeds } from "../../simulation/crew";
import { openSimulatedDatabase, type SimulatedDatabase } from "../../simulation/database";
import { play, toSteps } from "../../simulation/play";
import { regressions } from "../../simulation/regressions";

let database: SimulatedDatabase;
beforeAll(async () => {
  database = await openSimulatedDatabase();
});
afterAll(() => database?.close());

test.each(regressions)("T53 $name", async ({ seed, steps }) => {
  expect((await play(database, seed, steps)).failure).toBeNull();
});

test("T53 a history writes the same again, whether answers are remembered or not", async () => {
  const steps = toSteps(7, 20);
  const written: string[][] = [];
  for (const remember of [true, true, false]) {
    const writes: string[] = [];
    const fresh = await openSimulatedDatabase({ remember, onWrite: (statement) => writes.push(statement) });
    expect((await play(fresh, 7, steps)).failure).toBeNull();
    await fresh.close();
    written.push(writes);
  }
  expect(written[0]?.length).toBeGreaterThan(100);
  expect(written[1]).toEqual(written[0]);
  expect(written[2]).toEqual(written[0]);
}, 600_000);

test("T53 random histories with fixed seeds lose nothing and pay nothing twice", async () => {
  const { played, failed } = await playSeeds({
    first: 1,
    count: 25,
    length: 30,
    workers: 2,
    maxFailures: 1,
    isShrunk: true,
  });
  expect(failed).toEqual([]);
  expect(played).toBe(25);
}, 600_000);

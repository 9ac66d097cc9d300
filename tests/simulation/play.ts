import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import type { SimulatedDatabase } from "./database";
import { type Failure, playHistory } from "./history";
import { createRandom, type Random } from "./random";
import { generateHistory, type Step } from "./steps";
import { createWorld } from "./world";

/** Ids, keys and nonces come from the seed too; `node:crypto` is replaced for this process. */
let bytes: Random = createRandom(0);
crypto.randomBytes = ((size: number) => bytes.bytes(size)) as typeof crypto.randomBytes;
crypto.randomInt = ((min: number, max?: number) =>
  max === undefined ? bytes.int(min) : min + bytes.int(max - min)) as typeof crypto.randomInt;
syncBuiltinESMExports();

/** What came of a history. The same `trace` means that the same was written, in the same order. */
type Outcome = { failure: Failure | null; trace: string };

/** Plays these steps. The same seed and steps play the same history, in every process. */
export async function play(database: SimulatedDatabase, seed: number, steps: readonly Step[]): Promise<Outcome> {
  bytes = createRandom(seed + 1_000_000_007);
  const world = await createWorld(database);
  try {
    return { failure: await playHistory(world, steps), trace: database.getTrace() };
  } catch (error) {
    const faults = [error instanceof Error ? (error.stack ?? error.message) : String(error)];
    return { failure: { step: -1, faults }, trace: database.getTrace() };
  } finally {
    await world.stop();
  }
}

/** The steps of a seed. */
export function toSteps(seed: number, length: number): Step[] {
  return generateHistory(createRandom(seed), length);
}

/** Takes steps out for as long as the history still fails. */
export async function shrink(database: SimulatedDatabase, seed: number, steps: readonly Step[]): Promise<Step[]> {
  let shortest = [...steps];
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < shortest.length; ) {
      const shorter = [...shortest.slice(0, start), ...shortest.slice(start + size)];
      if ((await play(database, seed, shorter)).failure) shortest = shorter;
      else start += size;
    }
  }
  return shortest;
}

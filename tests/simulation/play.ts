import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import type { SimulatedDatabase } from "./database";
import { type Failure, playHistory } from "./history";
import { replaceRequests } from "./mobilecoin-wallet";
import { createRandom, type Random } from "./random";
import { generateHistory, type Step } from "./steps";
import { createWorld, type World } from "./world";

/** Ids, keys and nonces come from the seed too: `node:crypto` is replaced while a history is played. */
function replaceCrypto(random: Random): () => void {
  const { randomBytes, randomInt } = crypto;
  crypto.randomBytes = ((size: number) => random.bytes(size)) as typeof crypto.randomBytes;
  crypto.randomInt = ((min: number, max?: number) =>
    max === undefined ? random.int(min) : min + random.int(max - min)) as typeof crypto.randomInt;
  syncBuiltinESMExports();
  return () => {
    Object.assign(crypto, { randomBytes, randomInt });
    syncBuiltinESMExports();
  };
}

/** The result of a history. Histories with the same `trace` wrote the same, in the same order. */
type Outcome = { failure: Failure | null; trace: string };

/** Plays these steps. The same seed and steps play the same history, in every process. */
export async function play(database: SimulatedDatabase, seed: number, steps: readonly Step[]): Promise<Outcome> {
  const restoreCrypto = replaceCrypto(createRandom(seed + 1_000_000_007));
  const restoreRequests = replaceRequests();
  let world: World | null = null;
  try {
    world = await createWorld(database);
    return { failure: await playHistory(world, steps), trace: database.getTrace() };
  } catch (error) {
    const faults = [explain(error)];
    return { failure: { step: -1, faults }, trace: database.getTrace() };
  } finally {
    await world?.stop();
    restoreRequests();
    restoreCrypto();
  }
}

/** The steps of a seed. */
export function toSteps(seed: number): Step[] {
  return generateHistory(createRandom(seed));
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.stack ?? error.message;
  return error.cause === undefined ? text : `${text}\ncaused by ${explain(error.cause)}`;
}

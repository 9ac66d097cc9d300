/**
 * `npm run simulate -- --seeds N [--seed S] [--steps N]`: plays random histories of a whole
 * exchange on simulated networks and reports the first step after which money is not where
 * it belongs. The same seed plays the same history; a failing one is shrunk before it is shown.
 */
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { parseArgs } from "node:util";
import { openPglite } from "../../app/exchange.server/db/open";
import { type Failure, generateHistory, playHistory, type Step } from "./history";
import { createRandom, type Random } from "./random";
import { createWorld } from "./world";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    steps: { type: "string", default: "30" },
  },
});

/** Ids, keys and nonces come from the seed too; `node:crypto` is replaced for this process. */
let bytes: Random = createRandom(0);
crypto.randomBytes = ((size: number) => bytes.bytes(size)) as typeof crypto.randomBytes;
crypto.randomInt = ((min: number, max?: number) =>
  max === undefined ? bytes.int(min) : min + bytes.int(max - min)) as typeof crypto.randomInt;
syncBuiltinESMExports();

const database = await openPglite(null);

async function play(seed: number, steps: readonly Step[]): Promise<Failure | null> {
  bytes = createRandom(seed + 1_000_000_007);
  const world = await createWorld(database);
  try {
    return await playHistory(world, steps);
  } catch (error) {
    return { step: -1, faults: [error instanceof Error ? (error.stack ?? error.message) : String(error)] };
  } finally {
    await world.stop();
  }
}

/** Takes steps out for as long as the history still fails. */
async function shrink(seed: number, steps: Step[]): Promise<Step[]> {
  let shortest = steps;
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < shortest.length; ) {
      const shorter = [...shortest.slice(0, start), ...shortest.slice(start + size)];
      if ((await play(seed, shorter)) !== null) shortest = shorter;
      else start += size;
    }
  }
  return shortest;
}

const began = performance.now();
const count = Number(values.seeds);
let failed = 0;
for (let seed = Number(values.seed); seed < Number(values.seed) + count; seed += 1) {
  const steps = generateHistory(createRandom(seed), Number(values.steps));
  const failure = await play(seed, steps);
  if (!failure) continue;
  failed += 1;
  const shortest = await shrink(seed, steps);
  const last = await play(seed, shortest);
  process.stdout.write(`\nseed ${seed} fails after step ${last?.step}:\n  ${last?.faults.join("\n  ")}\n`);
  for (const step of shortest) process.stdout.write(`    ${JSON.stringify(step)}\n`);
  if (failed >= 5) break;
}
const seconds = (performance.now() - began) / 1000;
process.stdout.write(`\n${count} histories, ${failed} failed, ${seconds.toFixed(1)} s\n`);
await database.close();
process.exitCode = failed === 0 ? 0 : 1;

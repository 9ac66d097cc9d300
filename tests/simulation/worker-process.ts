/** Plays the histories that its parent asks for, one after the other. */
import { openSimulatedDatabase } from "./database";
import type { Failure, Step } from "./history";
import { play, shrink, toSteps } from "./play";

/** Histories to play: seeds from `first`, until one fails. */
export type Order = { first: number; count: number; length: number };
/** How many were played, and the first that failed, shortened. */
export type Report = { played: number; failed: { seed: number; steps: Step[]; failure: Failure } | null };

const database = await openSimulatedDatabase();

process.on("message", ({ first, count, length }: Order) => {
  void work(first, count, length).then((report) => process.send?.(report));
});
process.send?.({ played: 0, failed: null } satisfies Report);

async function work(first: number, count: number, length: number): Promise<Report> {
  for (let seed = first; seed < first + count; seed += 1) {
    const steps = toSteps(seed, length);
    const failure = await play(database, seed, steps);
    if (!failure) continue;
    const shortest = await shrink(database, seed, steps.slice(0, failure.step + 1));
    const last = await play(database, seed, shortest);
    return { played: seed - first + 1, failed: { seed, steps: shortest, failure: last ?? failure } };
  }
  return { played: count, failed: null };
}

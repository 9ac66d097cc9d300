/** Plays the histories that its parent asks for, one after the other. */
import { openSimulatedDatabase } from "./database";
import type { Failure } from "./history";
import { play, shrink, toSteps } from "./play";
import type { Step } from "./steps";

/** Histories to play: seeds from `first`, until one fails. `isShrunk`: a failing one is shortened. */
export type Order = { first: number; count: number; length: number; isShrunk: boolean };
/** How many were played, and the first that failed, shortened. */
export type Report = {
  played: number;
  failed: { seed: number; steps: Step[]; failure: Failure; trace: string } | null;
};

const database = await openSimulatedDatabase();

process.on("message", (order: Order) => {
  void work(order).then((report) => process.send?.(report));
});
// PGlite's own timers would keep the process for seconds.
process.on("disconnect", () => process.exit(0));
process.send?.({ played: 0, failed: null } satisfies Report);

async function work({ first, count, length, isShrunk }: Order): Promise<Report> {
  for (let seed = first; seed < first + count; seed += 1) {
    const steps = toSteps(seed, length);
    const { failure, trace } = await play(database, seed, steps);
    if (!failure) continue;
    const played = seed - first + 1;
    if (!isShrunk) return { played, failed: { seed, steps, failure, trace } };
    const shortest = await shrink(database, seed, steps.slice(0, failure.step + 1));
    const last = await play(database, seed, shortest);
    return { played, failed: { seed, steps: shortest, failure: last.failure ?? failure, trace: last.trace } };
  }
  return { played: count, failed: null };
}

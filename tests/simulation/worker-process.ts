/** Plays the histories that its parent requests, one after the other. Its argument is the path of a snapshot. */
import { openSimulatedDatabase } from "./database";
import type { Failure } from "./history";
import { play, toSteps } from "./play";
import { shrink } from "./shrink";
import type { Step } from "./steps";

/** Histories to play: seeds from `first`, until one fails. `isShrunk`: a failing one is shortened. */
export type Order = { first: number; count: number; isShrunk: boolean };
/** How many were played, the trace of the last one, and the first that failed, shortened. */
export type Report = {
  played: number;
  trace: string;
  failed: { seed: number; steps: Step[]; failure: Failure; trace: string } | null;
};

const database = await openSimulatedDatabase(process.argv[2] ?? "");

process.on("message", (order: Order) => {
  void work(order).then((report) => process.send?.(report));
});
// PGlite's own timers would keep the process for seconds.
process.on("disconnect", () => process.exit(0));
process.send?.({ played: 0, trace: "", failed: null } satisfies Report);

async function work({ first, count, isShrunk }: Order): Promise<Report> {
  let trace = "";
  for (let seed = first; seed < first + count; seed += 1) {
    const steps = toSteps(seed);
    const outcome = await play(database, seed, steps);
    const { failure } = outcome;
    trace = outcome.trace;
    if (!failure) continue;
    const played = seed - first + 1;
    if (!isShrunk) return { played, trace, failed: { seed, steps, failure, trace } };
    // An exception does not say which step caused it.
    const begun = failure.step < 0 ? steps : steps.slice(0, failure.step + 1);
    const shortest = await shrink(begun, async (shorter) => (await play(database, seed, shorter)).failure !== null);
    const last = await play(database, seed, shortest);
    if (!last.failure) throw new Error(`seed ${seed} fails, but not twice: ${failure.faults.join("; ")}`);
    return { played, trace, failed: { seed, steps: shortest, failure: last.failure, trace: last.trace } };
  }
  return { played: count, trace, failed: null };
}

/**
 * `npm run simulate -- --seeds N [--seed S] [--steps N] [--workers N]`: plays random histories of a
 * whole exchange on simulated networks and reports the first step after which money is not where it
 * belongs. The same seed plays the same history; a failing one is shrunk before it is shown.
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { type Found, playSeeds } from "./crew";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    steps: { type: "string", default: "30" },
    workers: { type: "string", default: String(Math.min(2, availableParallelism())) },
  },
});

function show({ seed, steps, failure }: Found): void {
  process.stdout.write(`\nseed ${seed} fails after step ${failure.step}:\n  ${failure.faults.join("\n  ")}\n`);
  for (const step of steps) process.stdout.write(`    ${JSON.stringify(step)}\n`);
}

const { played, failed, seconds } = await playSeeds({
  first: Number(values.seed),
  count: Number(values.seeds),
  length: Number(values.steps),
  workers: Number(values.workers),
  maxFailures: 5,
  onFound: show,
});
const perSecond = (played / seconds).toFixed(1);
process.stdout.write(
  `\n${played} histories, ${failed.length} failed, ${seconds.toFixed(1)} s (${perSecond} a second)\n`,
);
process.exitCode = failed.length === 0 ? 0 : 1;

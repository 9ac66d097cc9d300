/**
 * `npm run simulate -- --seeds N [--seed S] [--workers N]`: plays random histories of a
 * whole exchange on simulated networks and reports the first step after which money is not where it
 * belongs. The same seed plays the same history; a failing one is shrunk before it is shown.
 *
 * `npm run simulate -- --mutants [--only TEXT] [--shrink]`: plants one fault after another, and fails if one
 * of them is not found within `--seeds` histories. `--shrink` shows the shortest history that finds it.
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { mutants } from "./mutants";
import { type Found, playSeeds } from "./worker-pool";

const { values } = parseArgs({
  options: {
    seeds: { type: "string" },
    seed: { type: "string", default: "1" },
    workers: { type: "string", default: String(Math.min(2, availableParallelism())) },
    mutants: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    shrink: { type: "boolean", default: false },
  },
});
const size = { first: Number(values.seed), workers: Number(values.workers) };

function show({ seed, steps, failure, trace }: Found): void {
  process.stdout.write(`\nseed ${seed} fails after step ${failure.step}:\n  ${failure.faults.join("\n  ")}\n`);
  process.stdout.write(`  (trace ${trace.slice(0, 16)}, ${steps.length} steps)\n`);
  for (const step of steps) process.stdout.write(`    ${JSON.stringify(step)}\n`);
}

async function simulate(): Promise<boolean> {
  const count = Number(values.seeds ?? 200);
  const { played, failed, seconds } = await playSeeds({
    ...size,
    count,
    maxFailures: 5,
    isShrunk: true,
    onFound: show,
  });
  const figures = `${seconds.toFixed(1)} s (${(played / seconds).toFixed(1)} a second)`;
  process.stdout.write(`\n${played} histories, ${failed.length} failed, ${figures}\n`);
  return failed.length === 0;
}

async function findMutants(): Promise<boolean> {
  const count = Number(values.seeds ?? 5_000);
  let missed = 0;
  process.stdout.write("histories  seconds  fault, and what showed it\n");
  for (const mutant of mutants.filter(({ name }) => name.includes(values.only))) {
    const { played, failed, seconds } = await playSeeds({
      ...size,
      count,
      maxFailures: 1,
      isShrunk: values.shrink,
      mutant,
    });
    const [found] = failed;
    if (!found) missed += 1;
    const figures = `${String(played).padStart(9)}  ${seconds.toFixed(0).padStart(7)}`;
    process.stdout.write(`${figures}  ${mutant.name}: ${found?.failure.faults[0]?.split("\n")[0] ?? "NOT FOUND"}\n`);
    if (found && values.shrink) show(found);
  }
  process.stdout.write(`\n${missed === 0 ? "every mutant was found" : `${missed} were not found`}\n`);
  return missed === 0;
}

process.exitCode = (await (values.mutants ? findMutants() : simulate())) ? 0 : 1;

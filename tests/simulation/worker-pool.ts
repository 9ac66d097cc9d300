import { type ChildProcess, fork } from "node:child_process";
import type { Bundle } from "../support/bundle";
import { buildWorker } from "./bundle";
import type { Mutant } from "./mutants";
import { prepareSnapshot } from "./snapshot";
import type { Order, Report } from "./worker-process";

export type Found = NonNullable<Report["failed"]>;

/** A larger space for young objects: most of what a history makes is short-lived. */
const execArgv = ["--max-semi-space-size=64"];
/** Histories that a worker gets at a time. */
const share = 5;

/**
 * Plays the seeds from `first` in worker processes, until `maxFailures` of them have failed.
 * @returns how many histories were played, the trace of the last one to end, and those that failed, by seed
 */
export async function playSeeds(options: {
  first: number;
  count: number;
  workers: number;
  maxFailures: number;
  isShrunk: boolean;
  mutant?: Mutant | null;
  /** A worker that was built before, with or without a fault in it. The caller removes it. */
  worker?: Bundle;
  onFound?: (found: Found) => void;
}): Promise<{ played: number; trace: string; failed: Found[]; seconds: number }> {
  const worker = options.worker ?? (await buildWorker(options.mutant ?? null));
  const snapshot = await prepareSnapshot();
  const failed: Found[] = [];
  const end = options.first + options.count;
  let next = options.first;
  let played = 0;
  let trace = "";
  let began = performance.now();
  const takeShare = (): Order | null => {
    if (next >= end || failed.length >= options.maxFailures) return null;
    const count = Math.min(share, end - next);
    next += count;
    return { first: next - count, count, isShrunk: options.isShrunk };
  };
  const runWorker = (child: ChildProcess) =>
    new Promise<void>((resolve, reject) => {
      let current: Order | null = null;
      child.on("message", (report: Report) => {
        played += report.played;
        trace = report.trace;
        if (report.failed) {
          failed.push(report.failed);
          options.onFound?.(report.failed);
        }
        const rest = current && report.failed ? toRest(current, report.failed.seed) : null;
        if (!current) began = Math.max(began, performance.now());
        current = failed.length < options.maxFailures && rest ? rest : takeShare();
        if (current) child.send(current);
        else child.disconnect();
      });
      child.on("error", reject);
      child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`))));
    });
  const workers = Array.from({ length: options.workers }, () => fork(worker.path, [snapshot], { execArgv }));
  try {
    await Promise.all(workers.map(runWorker));
  } finally {
    // If one of them has failed, the others are still running.
    for (const child of workers) child.kill("SIGKILL");
    if (worker !== options.worker) await worker.remove();
  }
  failed.sort((a, b) => a.seed - b.seed);
  return { played, trace, failed, seconds: (performance.now() - began) / 1000 };
}

/** What is left of a share after one of its histories failed. */
function toRest({ first, count, ...rest }: Order, seed: number): Order | null {
  const left = first + count - seed - 1;
  return left > 0 ? { first: seed + 1, count: left, ...rest } : null;
}

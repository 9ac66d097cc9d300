import { expect } from "vitest";
import { playSeeds } from "../../simulation/worker-pool";

/**
 * Plays a hundred histories, the same in every run, and expects that none fails. Two files share the seeds, so that two
 * workers do.
 */
export async function playHundred(first: number): Promise<void> {
  const seeds = { first, count: 100 };
  const { played, failed } = await playSeeds({ ...seeds, workers: 1, maxFailures: 1, isShrunk: true });
  expect(failed).toEqual([]);
  expect(played).toBe(seeds.count);
}

import { describe, expect, it } from "vitest";
import { createFairQueue } from "~/lib/fair-queue";
import { deferred } from "../../support/deferred";

const refuse = () => new Error("full");

/** Jobs that run until they are told to end, in the order in which they started. */
function createJobs(queue: ReturnType<typeof createFairQueue>) {
  const running: { name: string; end: () => void }[] = [];
  return {
    add: (network: string, name: string) =>
      queue(network, async () => {
        const ending = deferred();
        running.push({ name, end: () => ending.resolve() });
        await ending.promise;
        running.splice(0, 1);
      }),
    names: async () => {
      // Lets everything run that does not wait for a job to end.
      await new Promise(setImmediate);
      return running.map(({ name }) => name);
    },
    endFirst: () => running[0]?.end(),
  };
}

describe("a fair queue", () => {
  it("T14 runs one job of each network at a time, so that none waits for all the jobs of another", async () => {
    const jobs = createJobs(createFairQueue({ max: 2, refuse }));
    const added = ["a1", "a2", "a3"].map((name) => jobs.add("a", name));
    added.push(jobs.add("b", "b1"), jobs.add("c", "c1"));
    expect(await jobs.names()).toEqual(["a1", "b1"]);
    jobs.endFirst();
    expect(await jobs.names()).toEqual(["b1", "c1"]);
    jobs.endFirst();
    expect(await jobs.names()).toEqual(["c1", "a2"]);
    for (let i = 0; i < 3; i += 1) {
      jobs.endFirst();
      await jobs.names();
    }
    await Promise.all(added);
  });

  it("T14 runs several jobs of a network if it may, and refuses a job if too many others wait", async () => {
    const jobs = createJobs(
      createFairQueue({ max: Number.POSITIVE_INFINITY, maxPerNetwork: 3, maxWaiting: 100, refuse }),
    );
    const added = Array.from({ length: 103 }, (_, i) => jobs.add("a", `a${i}`));
    expect(await jobs.names()).toEqual(["a0", "a1", "a2"]);
    await expect(jobs.add("a", "one too many")).rejects.toThrow("full");
    added.push(jobs.add("b", "b0"));
    expect(await jobs.names()).toEqual(["a0", "a1", "a2", "b0"]);
    for (const _ of added) {
      jobs.endFirst();
      await jobs.names();
    }
    await Promise.all(added);
    expect(await jobs.names()).toEqual([]);
  });

  it("T14 continues after a job has failed", async () => {
    const queue = createFairQueue({ max: 1, refuse });
    await expect(queue("a", () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
    expect(await queue("a", async () => "next")).toBe("next");
  });
});

import { describe, expect, it, vi } from "vitest";
import { inBatches } from "~/exchange.server/db/batches";
import type { Database } from "~/exchange.server/db/database";
import { deferred } from "../../support/deferred";

const db = {} as Database;

/** PostgreSQL's error check_violation. */
const refusal = Object.assign(new Error("negative"), { code: "23514" });

/** A batched function that doubles positive numbers, and what each of its runs was given. */
function createDoubling(waitFor: () => Promise<unknown> = async () => undefined) {
  const runs: number[][] = [];
  const double = inBatches(async (_db, inputs: number[]) => {
    runs.push(inputs);
    await waitFor();
    if (inputs.some((input) => input < 0)) throw new Error("failed", { cause: refusal });
    if (inputs.some((input) => input === 0)) throw new Error("connection lost");
    return inputs.map((input) => 2 * input);
  });
  return { double, runs };
}

describe("inBatches", () => {
  it("runs simultaneous calls together, and returns its own result to each", async () => {
    const { double, runs } = createDoubling();
    expect(await Promise.all([3, 1, 3].map((input) => double(db, input)))).toEqual([6, 2, 6]);
    expect(await double(db, 4)).toBe(8);
    expect(runs).toEqual([[3, 1, 3], [4]]);
  });

  it("holds calls while a batch is running, and then runs them together", async () => {
    const gate = deferred();
    const started = deferred();
    const { double, runs } = createDoubling(async () => {
      started.resolve();
      await gate.promise;
    });
    const first = double(db, 1);
    await started.promise;
    const others = [2, 3].map((input) => double(db, input));
    gate.resolve();
    expect(await Promise.all([first, ...others])).toEqual([2, 4, 6]);
    expect(runs).toEqual([[1], [2, 3]]);
  });

  it("fails only the call whose value is refused, and continues", async () => {
    const { double, runs } = createDoubling();
    const results = await Promise.allSettled([1, -1, 2].map((input) => double(db, input)));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(runs).toEqual([[1, -1, 2], [1], [-1], [2]]);
    expect(await double(db, 5)).toBe(10);
  });

  it("does not repeat calls after a failure that a value cannot have caused", async () => {
    const { double, runs } = createDoubling();
    const results = await Promise.allSettled([1, 0, 2].map((input) => double(db, input)));
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(runs).toEqual([[1, 0, 2]]);
    expect(await double(db, 5)).toBe(10);
  });

  it("holds calls for at most a second while a batch does not end", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const gates = [deferred(), deferred()];
    const started = deferred();
    const { double, runs } = createDoubling(async () => {
      started.resolve();
      await gates[runs.length - 1]?.promise;
    });
    const first = double(db, 1);
    await started.promise;
    const second = double(db, 2);
    gates[1]?.resolve();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await second).toBe(4);
    gates[0]?.resolve();
    expect(await first).toBe(2);
    vi.useRealTimers();
  });

  it("does not combine calls for different databases", async () => {
    const { double, runs } = createDoubling();
    await Promise.all([double(db, 1), double({} as Database, 2)]);
    expect(runs).toEqual([[1], [2]]);
  });

  it("runs at most a hundred calls together", async () => {
    const { double, runs } = createDoubling();
    await Promise.all(Array.from({ length: 250 }, (_, index) => double(db, index + 1)));
    expect(runs.map(({ length }) => length)).toEqual([100, 100, 50]);
  });
});

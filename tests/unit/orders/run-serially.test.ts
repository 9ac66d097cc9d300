import { describe, expect, it } from "vitest";
import { runSerially } from "~/exchange.server/orders/locking/run-serially";
import { deferred } from "../../support/deferred";

/** Starts work that ends when the test calls `resolve` or `reject`. */
function startWork(key: string, log: string[], name: string) {
  const { promise, resolve, reject } = deferred<string>();
  const done = runSerially(key, () => {
    log.push(name);
    return promise;
  });
  return { done, resolve, reject };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("work with a key", () => {
  it("waits for earlier work with the same key, but not for work with another key", async () => {
    const log: string[] = [];
    const first = startWork("order", log, "first");
    const second = startWork("order", log, "second");
    const other = startWork("another order", log, "other");
    await turn();
    expect(log).toEqual(["first", "other"]);
    other.resolve("");
    first.resolve("one");
    expect(await first.done).toBe("one");
    await turn();
    const third = startWork("order", log, "third");
    await turn();
    expect(log).toEqual(["first", "other", "second"]);
    second.resolve("two");
    await second.done;
    await turn();
    expect(log).toEqual(["first", "other", "second", "third"]);
    third.resolve("three");
    expect(await third.done).toBe("three");
  });

  it("starts even if the work before it failed; only that work's caller gets the error", async () => {
    const log: string[] = [];
    const first = startWork("order", log, "first");
    const second = startWork("order", log, "second");
    first.reject(new Error("no rate"));
    second.resolve("two");
    await expect(first.done).rejects.toThrow("no rate");
    expect(await second.done).toBe("two");
  });
});

import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, it, vi } from "vitest";
import { QueueSender } from "~/exchange.server/db/queue-sender";
import { deferred } from "../../support/deferred";

afterEach(() => vi.useRealTimers());

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Sends one row, which takes until it is given up. */
function sendSlowly(): { sender: QueueSender<string, string>; outcomes: Promise<string[]> } {
  const sender = new QueueSender({
    parallelSends: 1,
    sendsPerRun: 1,
    sendMs: 30_000,
    claim: async () => "row",
    send: (_row, giveUp) =>
      new Promise<string>((resolve) => giveUp.addEventListener("abort", () => resolve("given up"))),
  });
  return { sender, outcomes: sender.track(sender.run()) };
}

describe("a row that takes too long to send", () => {
  it("is given up at the time limit, even if the garbage collector has run", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { outcomes } = sendSlowly();
    await nextTurn();
    collectGarbage();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await outcomes).toEqual(["given up"]);
  });

  it("is given up a few seconds after a shutdown has begun", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { sender, outcomes } = sendSlowly();
    await nextTurn();
    const stopping = sender.stop();
    await vi.advanceTimersByTimeAsync(4_000);
    expect(await outcomes).toEqual(["given up"]);
    await stopping;
  });
});

describe("stopping a queue's sender", () => {
  it("does not wait for a database that no longer responds", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const claiming = deferred();
    const claim = () => {
      claiming.resolve();
      return new Promise<undefined>(() => undefined);
    };
    const sender = new QueueSender({
      parallelSends: 1,
      sendsPerRun: 1,
      sendMs: 30_000,
      claim,
      send: async () => undefined,
    });
    void sender.track(sender.run());
    await claiming.promise;
    let isStopped = false;
    const stopping = sender.stop().then(() => {
      isStopped = true;
    });
    await vi.advanceTimersByTimeAsync(4_900);
    expect(isStopped).toBe(false);
    await vi.advanceTimersByTimeAsync(100);
    await stopping;
  });
});

import { afterEach, describe, expect, it, vi } from "vitest";
import { QueueSender } from "~/exchange.server/db/queue-sender";
import { deferred } from "../../support/deferred";

afterEach(() => vi.useRealTimers());

describe("stopping a queue's sender", () => {
  it("does not wait for a database that no longer responds", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const claiming = deferred();
    const claim = () => {
      claiming.resolve();
      return new Promise<undefined>(() => undefined);
    };
    const sender = new QueueSender({ parallelSends: 1, sendsPerRun: 1, claim, send: async () => undefined });
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

import pino from "pino";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DbNotifications } from "~/exchange.server/db/notifications";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { createWorkers } from "~/exchange.server/jobs/workers";

const database = { kind: "pglite", listen: async () => async () => undefined } as unknown as OpenDatabase;
const never = new Promise<never>(() => undefined);

describe("a job that hangs", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each(["run", "hasWork"])("runs again after two minutes: %s", async (hanging) => {
    vi.useFakeTimers();
    let runs = 0;
    const job = {
      name: "hanging",
      everyMs: 1_000,
      async run() {
        runs += 1;
        if (hanging === "run") await never;
      },
      hasWork: () => (hanging === "hasWork" ? never : Promise.resolve(true)),
    };
    const workers = createWorkers(database, [job], pino({ level: "silent" }), new DbNotifications());
    await workers.start();
    await vi.advanceTimersByTimeAsync(119_000);
    expect(runs).toBe(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(runs).toBe(2);
    void workers.stop();
  });
});

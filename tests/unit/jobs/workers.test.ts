import pino from "pino";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DbNotifications } from "~/exchange.server/db/notifications";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { createWorkers } from "~/exchange.server/jobs/workers";

const database = { kind: "pglite", listen: async () => async () => undefined } as unknown as OpenDatabase;
const never = new Promise<never>(() => undefined);

afterEach(() => {
  vi.useRealTimers();
});

describe("a job that hangs", () => {
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

it("logs once a minute that a job keeps failing, and another failure at once", async () => {
  vi.useFakeTimers();
  let message = "no connection";
  const job = {
    name: "failing",
    everyMs: 1_000,
    async run() {
      throw new Error(message);
    },
  };
  const logged: string[] = [];
  const log = pino({}, { write: (line) => void logged.push(JSON.parse(line).error.message) });
  const workers = createWorkers(database, [job], log, new DbNotifications());
  await workers.start();
  await vi.advanceTimersByTimeAsync(59_000);
  expect(logged).toEqual(["no connection"]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(logged).toEqual(["no connection", "no connection"]);
  message = "no table";
  await vi.advanceTimersByTimeAsync(2_000);
  expect(logged).toEqual(["no connection", "no connection", "no table"]);
  void workers.stop();
});

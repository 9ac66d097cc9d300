import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ConcurrencyLimit } from "~/exchange.server/limits/concurrency-limit";
import type { RequestLimit } from "~/exchange.server/limits/request-limit";
import { SharedLimits } from "~/exchange.server/limits/shared-limits";

const perMinute = 100;
/** The most uses that a process keeps to itself: less than a twentieth of the limit. */
const unreported = perMinute / 20 - 1;
const slots = 4;
const visitor = "192.0.2.7";

type Process = { limits: SharedLimits; requests: RequestLimit; streams: ConcurrencyLimit };

/** Processes on one database: each receives every notification, its own included. */
describe("limits that processes share", () => {
  const processes: Process[] = [];
  const notifications: string[] = [];
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    for (const { limits } of processes.splice(0)) limits.disconnect();
    notifications.length = 0;
    vi.useRealTimers();
  });

  function start(): Process {
    const limits = new SharedLimits("the secret of all of them");
    const started = {
      limits,
      requests: limits.perMinute("requests", perMinute),
      streams: limits.slots("streams", slots),
    };
    processes.push(started);
    limits.connect((text) => {
      notifications.push(text);
      for (const process of processes) void process.limits.receive(text);
    });
    limits.join();
    return started;
  }
  const startTwo = () => [start(), start()] as const;
  const use = async (process: Process, times: number) => {
    let accepted = 0;
    for (let i = 0; i < times; i += 1) if ((await process.requests.consume(visitor)) === null) accepted += 1;
    return accepted;
  };
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  it("T14 let a visitor use up a limit once, whichever process responds", async () => {
    const [first, second] = startTwo();
    expect(await use(first, 60)).toBe(60);
    await pass(250);
    expect(await use(second, 1_000)).toBe(40);
    expect(await second.requests.consume(visitor)).toBeGreaterThan(50);
    expect(await second.requests.consume("192.0.2.8")).toBeNull();
    await pass(250);
    expect(await use(first, 1_000)).toBe(0);
    await pass(60_000);
    expect(await use(first, 1_000)).toBe(perMinute);
  });

  it("T14 let a visitor exceed a limit by a twentieth for each of three processes, and by what arrives within 250 ms", async () => {
    const [first, second] = startTwo();
    const third = start();
    let accepted = 0;
    let accepting = true;
    while (accepting) {
      const before = accepted;
      // One use at a time: the slowest way to use up what is not shared.
      for (const process of [first, second, third]) accepted += await use(process, 1);
      await pass(250);
      accepting = accepted > before;
    }
    expect(accepted).toBeGreaterThanOrEqual(perMinute);
    expect(accepted).toBeLessThanOrEqual(perMinute + 2 * unreported + 3);

    await pass(60_000);
    const burst = await Promise.all([first, second, third].map((process) => use(process, 1_000)));
    // At first, no process knows the others' counts, so each lets its whole limit through: not more, and only once.
    expect(burst).toEqual([perMinute, perMinute, perMinute]);
    await pass(250);
    expect(await Promise.all([first, second, third].map((process) => use(process, 1_000)))).toEqual([0, 0, 0]);
  });

  it("are not reported while a process is alone, or for visitors who use little", async () => {
    const first = start();
    await use(first, perMinute);
    first.streams.acquire("account");
    first.streams.acquire("account");
    await pass(60_000);
    expect(notifications.map((text) => JSON.parse(text).kind)).toEqual(["hello"]);

    const second = start();
    await pass(250);
    notifications.length = 0;
    for (let i = 0; i < 1_000; i += 1) await second.requests.consume(`198.51.100.${i}`);
    for (let i = 0; i < unreported; i += 1) await second.requests.consume(visitor);
    second.streams.acquire("another account");
    await pass(5_000);
    expect(notifications).toEqual([]);
  });

  it("are no longer reported once the only other process was killed", async () => {
    const [first, second] = startTwo();
    processes.splice(processes.indexOf(second), 1);
    second.limits.connect(() => undefined);
    await pass(60_000);
    notifications.length = 0;
    await use(first, perMinute);
    await pass(60_000);
    expect(notifications).toEqual([]);
  });

  it("are reported four times a second at most, in notifications that PostgreSQL accepts", async () => {
    const [first] = startTwo();
    notifications.length = 0;
    for (let second = 0; second < 5; second += 1) {
      for (let i = 0; i < 1_000; i += 1) {
        for (let uses = 0; uses < 5; uses += 1) await first.requests.consume(`network ${second} ${i}`);
      }
      await pass(1_000);
    }
    expect(notifications.length).toBeGreaterThan(15);
    expect(notifications.length).toBeLessThanOrEqual(21);
    for (const text of notifications) expect(Buffer.byteLength(`limits ${text}`)).toBeLessThan(8_000);
    expect(notifications.join("")).not.toContain("network");
  });

  it("T18 are reported without naming anyone, and without spaces", async () => {
    const [first] = startTwo();
    await use(first, perMinute);
    first.streams.acquire("account-1");
    first.streams.acquire("account-1");
    await pass(250);
    expect(notifications.some((text) => text.includes('"requests"') && text.includes('"streams"'))).toBe(true);
    for (const text of notifications) expect(text).not.toMatch(/192\.0|account-1| /);
  });

  it("T16 count the slots in all processes until they are given back", async () => {
    const [first, second] = startTwo();
    const leave = [first.streams.acquire("a"), first.streams.acquire("a")];
    await pass(250);
    second.streams.acquire("a");
    expect([first.streams.isFull("a"), second.streams.isFull("a")]).toEqual([false, false]);
    second.streams.acquire("a");
    await pass(250);
    expect([first.streams.isFull("a"), second.streams.isFull("a"), second.streams.isFull("b")]).toEqual([
      true,
      true,
      false,
    ]);
    // Ten minutes, the longest time that a stream is open.
    await pass(600_000);
    expect(first.streams.isFull("a")).toBe(true);
    for (const release of leave) release();
    await pass(250);
    expect(second.streams.isFull("a")).toBe(false);
  });

  it("T16 are reported to a new process", async () => {
    const [first] = startTwo();
    for (let i = 0; i < slots; i += 1) first.streams.acquire("a");
    await pass(250);
    const third = start();
    await pass(250);
    expect(third.streams.isFull("a")).toBe(true);
  });

  it("T16 drop the slots in a process that stops, and soon those in one that was killed", async () => {
    const [first, second] = startTwo();
    const third = start();
    for (let i = 0; i < slots; i += 1) {
      second.streams.acquire("a");
      third.streams.acquire("b");
    }
    await pass(250);
    expect([first.streams.isFull("a"), first.streams.isFull("b")]).toEqual([true, true]);
    second.limits.disconnect();
    expect([first.streams.isFull("a"), first.streams.isFull("b")]).toEqual([false, true]);
    processes.splice(processes.indexOf(third), 1);
    third.limits.connect(() => undefined);
    await pass(26_000);
    expect(first.streams.isFull("b")).toBe(false);
  });

  it("ignore what they cannot read", async () => {
    const [first] = startTwo();
    for (const text of [
      "",
      "{",
      "[]",
      '{"from":"x","kind":"other"}',
      '{"from":"x","kind":"counts","counts":{"requests":{"a":-1}}}',
    ]) {
      await first.limits.receive(text);
    }
    await first.limits.receive('{"from":"x","kind":"counts","counts":{"unknown":{"a":1}}}');
    expect(await use(first, 1_000)).toBe(perMinute);
  });
});

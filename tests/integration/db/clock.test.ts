import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createClock } from "~/exchange.server/db/clock";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { openTestDatabase } from "../../support/test-database";

describe("the exchange's clock", () => {
  let database: OpenDatabase;
  let statements: { mock: { calls: unknown[] }; mockRestore(): void };
  beforeAll(async () => {
    database = await openTestDatabase("PGlite");
  });
  afterAll(() => database.close());
  beforeEach(() => {
    // PGlite reads the time with Date.now as well, so these two move together.
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    statements = vi.spyOn(database.db, "execute");
  });
  afterEach(() => {
    statements.mockRestore();
    vi.useRealTimers();
  });

  it("T61 carries the database's time forward, and reads it again after ten seconds", async () => {
    const clock = createClock();
    const first = await clock.now(database.db);
    expect(first.getTime()).toBe(Date.now());
    vi.advanceTimersByTime(9_999);
    expect((await clock.now(database.db)).getTime()).toBe(first.getTime() + 9_999);
    expect(statements.mock.calls).toHaveLength(1);
    vi.advanceTimersByTime(2);
    expect((await clock.now(database.db)).getTime()).toBe(first.getTime() + 10_001);
    expect(statements.mock.calls).toHaveLength(2);
  });

  it("T61 reads the time again when this machine was suspended or its clock was set", async () => {
    const clock = createClock();
    await clock.now(database.db);
    vi.setSystemTime(Date.now() + 60_000);
    expect((await clock.now(database.db)).getTime()).toBe(Date.now());
    expect(statements.mock.calls).toHaveLength(2);
  });

  it("T61 does not carry a reading forward if it took longer than the largest allowed error", async () => {
    const clock = createClock();
    const execute = database.db.execute.bind(database.db);
    statements.mockRestore();
    statements = vi.spyOn(database.db, "execute").mockImplementation(((query: string) => {
      vi.advanceTimersByTime(51);
      return execute(query);
    }) as never);
    await clock.now(database.db);
    await clock.now(database.db);
    expect(statements.mock.calls).toHaveLength(2);
  });

  it.each([
    ["does not go back when the slower of two concurrent readings arrives", 0, 49],
    ["keeps the later of two concurrent readings", 60, 60],
  ])("T61 %s", async (_, slowerBy, expected) => {
    const offset = 3_600_000;
    const clock = createClock(() => offset);
    const sentAt = Date.now();
    const readings = [0, slowerBy].map((later) => {
      let resolve = (_rows: unknown) => {};
      const rows = new Promise((arrived) => {
        resolve = arrived;
      });
      return { rows, arrive: () => resolve({ rows: [{ ms: String(sentAt + later) }] }) };
    });
    const [first, second] = readings;
    for (const { rows } of readings) {
      vi.spyOn(database.db, "execute").mockImplementationOnce((() => rows) as never);
    }
    const times = [clock.now(database.db), clock.now(database.db)];
    first?.arrive();
    expect((await times[0])?.getTime()).toBe(sentAt + offset);
    vi.advanceTimersByTime(49);
    second?.arrive();
    expect((await times[1])?.getTime()).toBe(sentAt + expected + offset);
    expect((await clock.now(database.db)).getTime()).toBe(sentAt + expected + offset);
  });

  it("applies a test's offset immediately", async () => {
    let offset = 0;
    const clock = createClock(() => offset);
    const before = await clock.now(database.db);
    offset = 3_600_000;
    expect((await clock.now(database.db)).getTime()).toBe(before.getTime() + 3_600_000);
  });
});

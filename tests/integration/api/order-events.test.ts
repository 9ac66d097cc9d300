import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Order } from "~/api/contract";
import { DbNotifications } from "~/exchange.server/db/notifications";
import { orders } from "~/exchange.server/db/schema/orders";
import { quotes } from "~/exchange.server/db/schema/quotes";
import { scanChain } from "~/exchange.server/deposits/scan";
import { type ApiOptions, createApi } from "~/exchange.server/http/app";
import { getOrderVersions } from "~/exchange.server/orders/views/order-versions";
import { countStatements } from "../../support/count-statements";
import { createTestExchange, type SignedUp, testOrigin } from "../../support/exchange";
import type { FakeChain } from "../../support/fake-chain";
import { forAllTests } from "../../support/for-tests";
import { openOrder, prepareForSwaps } from "../../support/open-order";
import { until } from "../../support/until";

const decoder = new TextDecoder();

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

describe("event streams of an order", () => {
  // The real clock would send statements that are counted here.
  const exchange = forAllTests(() =>
    createTestExchange({ database: "PostgreSQL", clock: { now: async () => new Date() } }),
  );
  let customer: SignedUp;
  let order: Order;
  const aborts: AbortController[] = [];

  beforeAll(async () => {
    await prepareForSwaps(exchange);
    customer = await exchange.signUp("streams@example.org");
    order = await openOrder(exchange, customer);
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  afterAll(async () => {
    for (const abort of aborts) abort.abort();
  });

  /**
   * Another process of the same exchange, which does not receive notifications and checks streams in every round
   * instead.
   */
  const startApi = (streams: ApiOptions["streams"] = {}, ctx = exchange.ctx) =>
    createApi(ctx, { streams: { roundsPerTurn: 1, ...streams } });

  async function open(
    app: ReturnType<typeof startApi>,
    {
      method = "GET",
      token = customer.token,
      remoteAddress = "192.0.2.1",
      path = `/api/swap/swaps/${order.id}/events`,
    } = {},
  ) {
    const abort = new AbortController();
    aborts.push(abort);
    const headers = { "X-Auth-Token": token };
    const request = new Request(`${testOrigin}${path}`, { method, headers, signal: abort.signal });
    const response = await app.fetch(request, { remoteAddress });
    return { status: response.status, headers: response.headers, body: response.body, abort };
  }

  it("T16 responds to HEAD as to GET, without taking a slot", async () => {
    const app = startApi();
    for (let i = 0; i < 6; i += 1) {
      const { status, headers, body } = await open(app, { method: "HEAD" });
      expect([status, headers.get("Content-Type"), body]).toEqual([200, "text/event-stream", null]);
    }
    expect((await open(app, { method: "HEAD", path: "/api/swap/swaps/none/events" })).status).toBe(404);
    expect((await open(app)).status).toBe(200);
  });

  it("T16 limits the streams of one network, over all accounts", async () => {
    const app = startApi({ perNetwork: 2 });
    const first = await open(app, { remoteAddress: "2001:db8::1" });
    expect([first.status, (await open(app, { remoteAddress: "2001:db8::2" })).status]).toEqual([200, 200]);
    const refused = await open(app, { remoteAddress: "2001:db8::3" });
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "10"]);
    expect((await open(app, { remoteAddress: "2001:db8:0:100::1" })).status).toBe(200);
    first.abort.abort();
    expect((await open(app, { remoteAddress: "2001:db8::3" })).status).toBe(200);
  });

  it("T16 limits all streams together", async () => {
    const app = startApi({ total: 2 });
    expect([(await open(app)).status, (await open(app)).status]).toEqual([200, 200]);
    expect((await open(app, { remoteAddress: "198.51.100.1" })).status).toBe(429);
  });

  it("T16 limits how long a stream lasts", async () => {
    const app = startApi({ total: 1, maxMs: 200, pollMs: 20 });
    const reader = (await open(app)).body?.getReader();
    let last = await reader?.read();
    while (last && !last.done) last = await reader?.read();
    expect(last?.done).toBe(true);
    expect((await open(app)).status).toBe(200);
  });

  it("T16 ends streams that were opened together at different times", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
    const app = startApi({ maxMs: 100_000, pollMs: 500, heartbeatMs: 3_600_000 });
    const ended: string[] = [];
    for (const [name, random] of [
      ["short", 0],
      ["long", 0.999],
    ] as const) {
      const mocked = vi.spyOn(Math, "random").mockReturnValue(random);
      const reader = (await open(app)).body?.getReader();
      mocked.mockRestore();
      // A server that is stopping sets a longer wait. The next stream resets it, so a broken connection is soon opened
      // again.
      expect(decoder.decode((await reader?.read())?.value)).toMatch(/^retry: 3000\nevent: order\n/);
      void reader?.read().then(({ done }) => done && ended.push(name));
    }
    await vi.advanceTimersByTimeAsync(68_000);
    expect(ended).toEqual([]);
    await vi.advanceTimersByTimeAsync(8_000);
    expect(ended).toEqual(["short"]);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(ended).toEqual(["short"]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(ended).toEqual(["short", "long"]);
  });

  it("T16 sends something on each stream at least every 31 seconds, however many are open", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
    // It takes ten rounds to look at these ten streams, as it does with thousands.
    const app = startApi({ perAccount: 10, perPoll: 1 });
    const alive: string[] = [];
    for (let i = 0; i < 10; i += 1) {
      const reader = (await open(app)).body?.getReader();
      await reader?.read();
      void reader?.read().then(({ value }) => alive.push(decoder.decode(value)));
    }
    await vi.advanceTimersByTimeAsync(31_000);
    expect(alive).toEqual(Array(10).fill(": heartbeat\n\n"));
  });

  it("T16 ends an aborted stream whose request was garbage-collected", async () => {
    const app = startApi({ perAccount: 1 });
    const stream = await open(app);
    // Collected only after some turns of the event loop.
    for (let i = 0; i < 5; i += 1) {
      collectGarbage();
      await sleep(0);
    }
    stream.abort.abort();
    expect((await open(app)).status).toBe(200);
  });

  it("T16 reads the database no more often for many streams than for one", async () => {
    const counted = countStatements(exchange.ctx);
    // The interval is so long that only new streams cause rounds.
    const app = createApi(counted.ctx, { streams: { perAccount: 50, pollMs: 3_600_000 } });
    const openAndCount = async () => {
      const before = counted.statements;
      await (await open(app)).body?.getReader().read();
      return counted.statements - before;
    };
    const first = await openAndCount();
    for (let i = 0; i < 20; i += 1) await openAndCount();
    expect(await openAndCount()).toBeLessThanOrEqual(first + 5);
  });

  it("T16 checks only some of many streams at a time, and each of them in the end", async () => {
    const app = startApi({ perAccount: 10, perPoll: 1, pollMs: 20 });
    const readers = await openAll(app, 5);
    await touchOrder();
    for (const reader of readers) expect(decoder.decode((await reader?.read())?.value)).toContain("event: order");
  });

  it("T16 ends every one of many streams, even though it checks only a few at a time", async () => {
    const app = startApi({ perAccount: 10, perPoll: 1, maxMs: 100, pollMs: 20 });
    const streams = await Promise.all(Array.from({ length: 5 }, () => open(app)));
    for (const { body } of streams) {
      const reader = body?.getReader();
      let last = await reader?.read();
      while (last && !last.done) last = await reader?.read();
      expect(last?.done).toBe(true);
    }
  });

  it("T12 T16 reacts to changes and ended sessions that the database announces, without polling", async () => {
    const notifications = new DbNotifications();
    const stopListening = await exchange.database.listen((topic, id) => notifications.emit(topic, id));
    const app = createApi(exchange.ctx, { streams: { perAccount: 10, pollMs: 3_600_000 }, notifications });
    const readers = await openAll(app, 2);
    const { body } = await exchange.signInByPasskey(customer.authenticator);
    const [ending] = await openAll(app, 1, body.access_token);
    await touchOrder();
    for (const reader of [...readers, ending]) {
      expect(decoder.decode((await reader?.read())?.value)).toContain("event: order");
    }
    const init = { method: "POST", headers: { "X-Auth-Token": body.access_token } };
    await createApi(exchange.ctx).fetch(new Request(`${testOrigin}/api/auth/logout`, init));
    expect(await ending?.read()).toEqual({ done: true, value: undefined });
    await setBlocked(new Date());
    for (const reader of readers) expect(await reader?.read()).toEqual({ done: true, value: undefined });
    await setBlocked(null);
    await stopListening();
  });

  it("T16 checks quiet streams in every tenth round only, or at once after notifications may have been lost", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const notifications = new DbNotifications();
    const counted = countStatements(exchange.ctx);
    const app = createApi(counted.ctx, {
      streams: { perAccount: 10, perPoll: 2, pollMs: 500, gapMs: 0 },
      notifications,
    });
    const readers = await openAll(app, 3);
    await countIn(counted, 5);
    expect([await countIn(counted, 10), await countIn(counted, 10)]).toEqual([2, 2]);
    notifications.emit("listening", "");
    // Three streams, two at a time.
    expect(await countIn(counted, 9)).toBe(4);
    for (const reader of readers) await reader?.cancel();
  });

  it.each([
    ["has an open offer", true],
    ["can have no offer", false],
  ])("T16 checks an order that waits for a decision and %s like a quiet one", async (_, isLate) => {
    const { id, token } = await openDecision({ isLate });
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const readOffer = async () => (await getOrderVersions(exchange.ctx.db, [id]))[0]?.offerExpiresAt ?? null;
    const counted = countStatements(exchange.ctx);
    const app = createApi(counted.ctx, { streams: { pollMs: 500, gapMs: 0, offerRetryMs: 3_600_000 } });
    const stream = await open(app, { token, path: `/api/swap/swaps/${id}/events` });
    await countIn(counted, 20);
    expect((await readOffer()) !== null).toBe(isLate);
    expect([await countIn(counted, 10), await countIn(counted, 10)]).toEqual([2, 2]);
    if (isLate) {
      const now = await exchange.ctx.clock.now(exchange.ctx.db);
      await exchange.ctx.db.update(quotes).set({ expiresAt: now }).where(eq(quotes.offerForOrderId, id));
      await countIn(counted, 10);
      expect((await readOffer())?.getTime()).toBeGreaterThan(now.getTime());
    }
    stream.abort.abort();
  });

  /** How many statements these rounds send. */
  async function countIn(counted: ReturnType<typeof countStatements>, rounds: number): Promise<number> {
    const before = counted.statements;
    for (let round = 0; round < rounds; round += 1) {
      await vi.advanceTimersByTimeAsync(500);
      await counted.settle();
      // As long as the gap, and begun after it, so it ends after it.
      await sleep(0);
    }
    return counted.statements - before;
  }

  /** An order whose owner has to decide, because its deposit is late or too small, and the owner's token. */
  async function openDecision({ isLate }: { isLate: boolean }): Promise<{ id: string; token: string }> {
    const { ctx } = exchange;
    const owner = await exchange.signUp();
    // On a slow machine, the chains were last checked too long ago by the time this test runs.
    await prepareForSwaps(exchange);
    const created = await openOrder(exchange, owner);
    const chain = ctx.chains.USDT as FakeChain;
    if (isLate)
      await ctx.db
        .update(orders)
        .set({ expiresAt: new Date(0) })
        .where(eq(orders.id, created.id));
    chain.deposit(created.funding_address, isLate ? 20_000_000n : 15_000_000n);
    chain.mine(3);
    await scanChain(ctx, "USDT");
    const { body } = await exchange.api<Order>("GET", `/api/swap/swaps/${created.id}`, owner);
    expect(body.decision?.reason).toBe(isLate ? "late" : "underpaid");
    return { id: body.id, token: owner.token };
  }

  /** Streams that have had their first event. */
  async function openAll(app: ReturnType<typeof startApi>, count: number, token = customer.token) {
    const readers = [];
    for (let i = 0; i < count; i += 1) {
      const reader = (await open(app, { token })).body?.getReader();
      expect(decoder.decode((await reader?.read())?.value)).toContain("event: order");
      readers.push(reader);
    }
    return readers;
  }

  it("T16 ends a stream that is not read, and one that is cancelled", async () => {
    const app = startApi({ perAccount: 1, stallMs: 5_000, pollMs: 50 });
    const unread = await open(app);
    expect(unread.status).toBe(200);
    expect((await open(app)).status).toBe(429);
    const openIfPossible = async () => {
      const opened = await open(app);
      return opened.status !== 429 && opened;
    };
    const second = await until("room for another stream", openIfPossible, { timeoutMs: 20_000 });
    expect(second.status).toBe(200);
    await second.body?.cancel();
    expect((await open(app)).status).toBe(200);
  });

  it.each(["this session", "all other sessions", "the account is blocked"])(
    "T12 T16 ends within a second of the revocation by another process, and sends nothing after it: %s",
    async (which) => {
      vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
      const counted = countStatements(exchange.ctx);
      const app = startApi({ pollMs: 500, gapMs: 0 }, counted.ctx);
      const other = createApi(exchange.ctx);
      const signedIn = await exchange.signInByPasskey(customer.authenticator);
      const token = signedIn.body.access_token;
      const reader = (await open(app, { token })).body?.getReader();
      expect(decoder.decode((await reader?.read())?.value)).toContain("event: order");

      if (which === "the account is blocked") {
        await setBlocked(new Date());
      } else {
        const [path, method, by] =
          which === "this session"
            ? ["/api/auth/logout", "POST", token]
            : ["/api/users/me/sessions", "DELETE", customer.token];
        const init = { method, headers: { "X-Auth-Token": by } };
        expect((await other.fetch(new Request(`${testOrigin}${path}`, init))).status).toBe(204);
      }
      await touchOrder();
      let next: unknown;
      const read = reader?.read().then((result) => {
        next = result;
      });
      // At most two rounds begin within a second.
      for (let round = 0; round < 2 && next === undefined; round += 1) {
        await vi.advanceTimersByTimeAsync(500);
        await counted.settle();
        // As long as the gap, and begun after it, so it ends after it.
        await sleep(0);
      }
      expect(next).toEqual({ done: true, value: undefined });
      await read;
      await setBlocked(null);
    },
  );

  async function setBlocked(blockedAt: Date | null): Promise<void> {
    const { accounts } = await import("~/exchange.server/db/schema/accounts");
    await exchange.ctx.db.update(accounts).set({ blockedAt });
  }

  async function touchOrder(): Promise<void> {
    await exchange.ctx.db.update(orders).set({ updatedAt: new Date() });
  }
});

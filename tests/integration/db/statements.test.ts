import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { scanChain } from "~/exchange.server/deposits/scan";
import { takeDueSteps } from "~/exchange.server/jobs/due-steps";
import { checkWallet } from "~/exchange.server/payments/check-wallet";
import { checkReserves } from "~/exchange.server/payments/reserves/check-reserves";
import { recordAcceptance } from "~/exchange.server/pricing/interruptions";
import { getMarket } from "~/exchange.server/pricing/market";
import { refreshRate } from "~/exchange.server/pricing/rates";
import { createTestExchange } from "../../support/exchange";
import type { FakeChain } from "../../support/fake-chain";
import { forAllTests } from "../../support/for-tests";
import { openBooks } from "../../support/open-books";

const addresses = JSON.parse(readFileSync("tests/vectors/mobilecoin-addresses.json", "utf8")) as {
  valid_without_fog: { b58: string }[];
};

/** What a request may send to PostgreSQL, transaction control included: docs/performance.md. */
describe("statements of a request", () => {
  // The real clock would send a statement every ten seconds.
  const x = forAllTests(() => createTestExchange({ database: "PostgreSQL", clock: { now: async () => new Date() } }));
  let token: string;
  let request: { delivery_address_id: string; refund_address_id: string };
  const sent: string[] = [];
  const names = new Set<string>();

  beforeAll(async () => {
    await openBooks(x.ctx);
    await refreshRate(x.ctx);
    for (const asset of ["USDT", "MOB"] as const) {
      await checkWallet(x.ctx, asset);
      await scanChain(x.ctx, asset);
    }
    token = (await x.signUp()).token;
    const save = async (type: string, address: string) =>
      (await x.api("POST", "/api/swap/delivery-addresses", { token, body: { type, address, label: "" } })).body.id;
    request = {
      delivery_address_id: await save("MOB", addresses.valid_without_fog[0]?.b58 ?? ""),
      refund_address_id: await save("ETH", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"),
    };
    const { query } = pg.Client.prototype;
    vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args: unknown[]) {
      const [first] = args as [string | { text: string; name?: string }];
      sent.push(typeof first === "string" ? first : first.text);
      if (typeof first !== "string" && first.name) names.add(first.name);
      return Reflect.apply(query, this, args) as never;
    });
  }, 60_000);
  afterAll(async () => {
    vi.restoreAllMocks();
  });
  beforeEach(async () => {
    // Otherwise, a market older than five seconds would be read again in the middle of a test.
    await getMarket(x.ctx);
    sent.length = 0;
  });

  const quoteBody = { source_asset_symbol: "USDT", target_asset_symbol: "MOB", source_amount: "100" };
  const quote = async () => (await x.api("POST", "/api/swap/quotes", { token, body: quoteBody })).body.id as number;
  const lock = (id: number) =>
    x.api("POST", `/api/swap/quotes/${id}/lock`, {
      token,
      body: request,
      headers: { "Idempotency-Key": randomUUID() },
    });

  it("reads the signed-in user with one statement", async () => {
    expect((await x.api("GET", "/api/users/me", { token })).status).toBe(200);
    expect(sent).toHaveLength(1);
  });

  it("records the last use of a session once for reads that arrive together", async () => {
    const at = await x.ctx.clock.now(x.ctx.db);
    const clock = vi.spyOn(x.ctx.clock, "now").mockResolvedValue(new Date(at.getTime() + 61_000));
    sent.length = 0;
    const read = await Promise.all([1, 2, 3].map(() => x.api("GET", "/api/users/me", { token })));
    clock.mockRestore();
    expect(read.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(sent).toHaveLength(2);
  });

  it("creates a quote with two statements, and with four after the market has changed", async () => {
    await quote();
    sent.length = 0;
    expect(await quote()).toBeGreaterThan(0);
    expect(sent).toHaveLength(2);
    await refreshRate(x.ctx);
    sent.length = 0;
    expect(await quote()).toBeGreaterThan(0);
    // The insertion fails because the market has changed, so the market is read too.
    expect(sent).toHaveLength(4);
  });

  it("creates ten quotes that are requested together with two statements", async () => {
    await quote();
    sent.length = 0;
    const ids = await Promise.all(Array.from({ length: 10 }, quote));
    expect(new Set(ids).size).toBe(10);
    expect(ids.every((id) => id > 0)).toBe(true);
    expect(sent).toHaveLength(2);
  });

  it("reads what a direction page shows with two statements, unless the market is unknown or has a new rate", async () => {
    const paths = ["users/me", "swap/assets", "rates?range=1h", "swap/delivery-addresses", "status?recent=true"];
    const read = () => Promise.all(paths.map((path) => x.api("GET", `/api/${path}`, { token })));
    await read();
    sent.length = 0;
    expect((await read()).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(sent).toHaveLength(2);
  });

  it("locks a quote with eleven statements, and with twelve after the market has changed", async () => {
    const id = await quote();
    sent.length = 0;
    const locked = await lock(id);
    expect(locked.status).toBe(201);
    expect(sent).toHaveLength(11);
    const next = await quote();
    await refreshRate(x.ctx);
    sent.length = 0;
    expect((await lock(next)).status).toBe(201);
    expect(sent).toHaveLength(12);
  });

  it("lets PostgreSQL keep the plans of the largest statements of a quote and its lock", async () => {
    names.clear();
    expect((await lock(await quote())).status).toBe(201);
    expect([...names].sort()).toEqual(["callers", "insert_quotes", "liquidity", "lock_inputs"]);
  });

  it("reads what /doger shows with six statements, unless the market is unknown or has a new rate", async () => {
    await lock(await quote());
    const own = ["passkeys", "sessions", "price-alerts", "mail-preferences", "consents"].map(
      (name) => `/api/users/me/${name}`,
    );
    const paths = ["/api/users/me", "/api/swap/swaps?count=true", "/api/rates?range=1h", ...own];
    await x.api("GET", "/api/rates?range=1h");
    sent.length = 0;
    const read = await Promise.all(paths.map((path) => x.api("GET", path, { token })));
    expect(read.map(({ status }) => status)).toEqual(paths.map(() => 200));
    expect(sent).toHaveLength(6);
  });

  it("reads an order with two statements", async () => {
    const order = (await lock(await quote())).body.id as string;
    sent.length = 0;
    expect((await x.api("GET", `/api/swap/swaps/${order}`, { token })).status).toBe(200);
    expect(sent).toHaveLength(2);
  });

  it("scans a quiet chain without a statement, and stores the scan every five seconds with a few", async () => {
    // While no swap is open, every scan checks the database for new orders.
    await lock(await quote());
    for (const asset of ["USDT", "MOB"] as const) {
      const at = await x.ctx.clock.now(x.ctx.db);
      const clock = vi.spyOn(x.ctx.clock, "now");
      clock.mockResolvedValue(new Date(at.getTime() + 5_001));
      await scanChain(x.ctx, asset);
      sent.length = 0;
      (x.ctx.chains[asset] as FakeChain).mine();
      await scanChain(x.ctx, asset);
      expect(sent).toEqual([]);
      clock.mockResolvedValue(new Date(at.getTime() + 10_002));
      await scanChain(x.ctx, asset);
      // A higher final height, as every new block of MobileCoin is, takes a transaction.
      expect(sent).toHaveLength(asset === "USDT" ? 2 : 6);
      clock.mockRestore();
    }
  });

  it("finds what is due with one statement", async () => {
    await takeDueSteps(x.ctx);
    sent.length = 0;
    await takeDueSteps(x.ctx);
    expect(sent).toHaveLength(1);
  });

  it("records with one statement that swaps are still accepted, and extends the period every 20 seconds", async () => {
    const at = await x.ctx.clock.now(x.ctx.db);
    const clock = vi.spyOn(x.ctx.clock, "now");
    const recordAfter = async (ms: number) => {
      clock.mockResolvedValue(new Date(at.getTime() + ms));
      sent.length = 0;
      await recordAcceptance(x.ctx);
      return sent.length;
    };
    await recordAfter(0);
    expect([await recordAfter(5_000), await recordAfter(19_999), await recordAfter(20_000)]).toEqual([1, 1, 7]);
    clock.mockRestore();
  });

  it("compares the books with a chain with three statements, and with four if deposits may be at funding addresses", async () => {
    for (const [asset, statements] of [
      ["MOB", 3],
      ["USDT", 4],
    ] as const) {
      await checkReserves(x.ctx, asset);
      sent.length = 0;
      await checkReserves(x.ctx, asset);
      expect(sent).toHaveLength(statements);
    }
  });

  it("lists orders with four statements, whatever the filters", async () => {
    const filters = new URLSearchParams({ search: "0xabcdef", state: "active", created_from: "2026-01-01T00:00:00Z" });
    for (const query of ["", `?${filters}`]) {
      sent.length = 0;
      expect((await x.api("GET", `/api/swap/swaps${query}`, { token })).status).toBe(200);
      expect(sent.length).toBeLessThanOrEqual(4);
    }
  });

  it("locks an account that is deleted with the statement that reads it", async () => {
    const customer = await x.signUp();
    sent.length = 0;
    const request = { token: customer.token, body: { confirm: "delete my account" } };
    expect((await x.api("POST", "/api/users/me/deletion", request)).status).toBe(204);
    expect(sent.filter((statement) => /from "accounts".* for no key update/.test(statement))).toHaveLength(1);
  });

  it("pauses passkeys in a recovery with the statement that names them", async () => {
    const { email, token } = await x.signUp();
    expect((await x.register(email, { token })).status).toBe(200);
    const byCode = await x.signInByCode(email);
    sent.length = 0;
    expect((await x.register(email, { token: byCode.body.access_token })).status).toBe(200);
    expect(sent.filter((statement) => /"passkeys"\."added_by_passkey" =/.test(statement))).toHaveLength(1);
  });
});

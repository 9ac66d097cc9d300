import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Order, OrderTotals } from "~/api/contract";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { selectOrderTotals, toOrderTotals } from "~/exchange.server/orders/views/order-totals";
import { toOrderNumber } from "~/lib/order-number";
import { createTestExchange, type SignedUp, type TestExchange } from "../../support/exchange";
import { saveAddresses } from "../../support/open-order";
import { openTestSession } from "../../support/open-test-session";
import { createOrdersHarness, type OrdersHarness, type User } from "../../support/orders-harness";
import { openTestDatabase, testDatabases } from "../../support/test-database";
import { toTotals } from "../../support/totals";

const depositHash = `0xabcdef${"12".repeat(29)}`;
const strangersHash = `0xabcdef${"34".repeat(29)}`;

describe.each(testDatabases)("searching and filtering orders on %s", (kind) => {
  let database: OpenDatabase;
  let world: OrdersHarness;
  let exchange: TestExchange;
  let customer: SignedUp;
  /** A swap of each direction and state, oldest first. */
  let done: Order;
  let unpaid: Order;
  let waiting: Order;
  let strangers: Order;

  beforeAll(async () => {
    database = await openTestDatabase(kind);
    world = await createOrdersHarness(database);
    exchange = await createTestExchange({ database, clock: world.ctx.clock });
    const signUp = async (email: string) => {
      const signedUp = await exchange.signUp(email);
      const ids = await saveAddresses(exchange, signedUp);
      const address = (type: "ETH" | "MOB") => `${type.toLowerCase()}-of-${signedUp.user.id}`;
      const own = { ETH: { id: ids.ETH, address: address("ETH") }, MOB: { id: ids.MOB, address: address("MOB") } };
      const accountId = signedUp.user.id;
      const sessionId = await openTestSession(world.ctx.db, accountId);
      return { signedUp, user: { accountId, sessionId, own } satisfies User };
    };
    const ada = await signUp("ada@example.org");
    const eve = await signUp("eve@example.org");
    customer = ada.signedUp;
    const place = async (user: User, source: "USDT" | "MOB", amount: string, txHash?: string) => {
      const order = await world.lock(user, source, amount);
      if (txHash) world.usdt.deposit(order.fundingAddress, order.sourceAmount, { txHash });
      await world.settle();
      return (await world.see(user, order.id)) as Order;
    };
    done = await place(ada.user, "USDT", "100", depositHash);
    unpaid = await place(ada.user, "MOB", "50");
    await world.cancel(unpaid.id);
    waiting = await place(ada.user, "USDT", "70");
    strangers = await place(eve.user, "USDT", "60", strangersHash);
    expect([done.status, strangers.status]).toEqual(["completed", "completed"]);
  }, 180_000);
  afterAll(() => exchange?.close());

  const list = async (query: Record<string, string>) => {
    const search = new URLSearchParams(query);
    const { status, body } = await exchange.api("GET", `/api/swap/swaps?${search}`, { token: customer.token });
    expect(status, JSON.stringify(body)).toBe(200);
    return body as { items: Order[]; next: string | null; count?: OrderTotals };
  };
  const find = async (query: Record<string, string>) => (await list(query)).items.map(({ id }) => id);

  it("finds an order by its number, however it is typed, and by its id", async () => {
    const number = toOrderNumber(unpaid.quote_id);
    for (const search of [number, number.toLowerCase().replaceAll("-", " "), unpaid.id]) {
      expect(await find({ search })).toEqual([unpaid.id]);
    }
  });

  it("finds an order by the beginning of the hash of a deposit or a payout, in any case", async () => {
    const [payout] = done.outgoing_txs;
    for (const search of [depositHash, depositHash.toUpperCase(), "0xabcdef12", payout?.hash ?? ""]) {
      expect(await find({ search }), search).toEqual([done.id]);
    }
  });

  it("finds orders by the beginning of any of their addresses, in any case", async () => {
    expect(await find({ search: waiting.funding_address.toUpperCase() })).toEqual([waiting.id]);
    expect(await find({ search: done.delivery_address })).toEqual([waiting.id, unpaid.id, done.id]);
    expect(await find({ search: done.refund_address.slice(0, -3) })).toEqual([waiting.id, unpaid.id, done.id]);
  });

  it("T35 never finds another account's orders, and does not treat any character as a wildcard", async () => {
    const [payout] = strangers.outgoing_txs;
    const number = toOrderNumber(strangers.quote_id);
    const texts = [number, strangers.id, strangersHash, payout?.hash ?? "", strangers.funding_address];
    for (const search of [...texts, "%%%%%%%", "_______", "\\\\\\\\\\\\\\", "' or 1=1 --"]) {
      expect(await find({ search }), search).toEqual([]);
    }
    expect(await find({ search: "0xabcdef" })).toEqual([done.id]);
  });

  it("filters by a group of states, by direction and by time, and combines filters", async () => {
    expect(await find({ state: "active" })).toEqual([waiting.id]);
    expect(await find({ state: "needs_decision" })).toEqual([]);
    expect(await find({ state: "completed" })).toEqual([done.id]);
    expect(await find({ state: "unpaid" })).toEqual([unpaid.id]);
    expect(await find({ source_asset_symbol: "MOB" })).toEqual([unpaid.id]);
    expect(await find({ created_from: unpaid.created_at })).toEqual([waiting.id, unpaid.id]);
    expect(await find({ created_before: unpaid.created_at })).toEqual([done.id]);
    expect(await find({ created_from: unpaid.created_at, source_asset_symbol: "USDT" })).toEqual([waiting.id]);
    expect(await find({ search: done.delivery_address, state: "unpaid" })).toEqual([unpaid.id]);
  });

  it("pages through the orders that match", async () => {
    const filters = { source_asset_symbol: "USDT", limit: "1" };
    const first = await list(filters);
    expect(first.items.map(({ id }) => id)).toEqual([waiting.id]);
    const second = await list({ ...filters, cursor: first.next ?? "" });
    expect([second.items.map(({ id }) => id), second.next]).toEqual([[done.id], null]);
  });

  it("S09 adds up all orders on request, whatever the page and the filters", async () => {
    const { items, ...rest } = await list({});
    expect(rest).toEqual({ next: null });
    const count = {
      orders: 3,
      capped: false,
      totals: toTotals(items).map(({ asset, ...sums }) => ({ asset_symbol: asset, ...sums })),
    };
    expect(count.totals).toEqual([
      { asset_symbol: "USDT", deposited: "100", withdrawn: "0" },
      { asset_symbol: "MOB", deposited: "0", withdrawn: done.target_amount },
    ]);
    expect(await list({ count: "true" })).toEqual({ items, next: null, count });
    const filtered = await list({ count: "true", limit: "1", source_asset_symbol: "USDT" });
    expect(filtered).toMatchObject({ items: [{ id: waiting.id }], count });
    const none = await list({ count: "true", search: strangers.id });
    expect(none).toEqual({ items: [], next: null, count });
  });

  it("S09 adds up only the newest orders if there are many", async () => {
    const countNewest = async (most: number) => {
      const [row] = await selectOrderTotals(database.db, customer.user.id, most);
      return row && toOrderTotals(row);
    };
    expect(await countNewest(2)).toMatchObject({ orders: 2, capped: true, totals: [{ deposited: "0" }, {}] });
    expect(await countNewest(3)).toMatchObject({ orders: 3, capped: false, totals: [{ deposited: "100" }, {}] });
  });

  it.each([
    ["count", "yes"],
    ["search", "short"],
    ["search", "x".repeat(513)],
    ["state", "paid"],
    ["source_asset_symbol", "BTC"],
    ["created_from", "2026-01-31"],
    ["created_from", "0000-01-01T00:00:00Z"],
    ["created_before", "2026-02-30T00:00:00Z"],
  ])("refuses a %s such as %.12s, naming the parameter", async (name, value) => {
    const query = new URLSearchParams({ [name]: value });
    const { status, body } = await exchange.api("GET", `/api/swap/swaps?${query}`, { token: customer.token });
    expect([status, Object.keys(body.detail.fields)]).toEqual([422, [name]]);
  });
});

import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Order } from "~/api/contract";
import { orders } from "~/exchange.server/db/schema/orders";
import { toOrderNumber } from "~/lib/order-number";
import { createTestExchange, type SignedUp, type TestExchange } from "../../support/exchange";
import { saveAddresses } from "../../support/open-order";
import { openTestSession } from "../../support/open-test-session";
import { createOrdersHarness, type OrdersHarness } from "../../support/orders-harness";
import { openTestDatabase } from "../../support/test-database";

const depositHash = `0xabcdef${"12".repeat(29)}`;

describe("tracking links", () => {
  let world: OrdersHarness;
  let exchange: TestExchange;
  let customer: SignedUp;
  let stranger: SignedUp;
  let order: Order;

  beforeAll(async () => {
    const database = await openTestDatabase("PGlite");
    world = await createOrdersHarness(database);
    exchange = await createTestExchange({ database, clock: world.ctx.clock });
    customer = await exchange.signUp("ada.lovelace@example.org");
    stranger = await exchange.signUp("eve@example.org");
    const ids = await saveAddresses(exchange, customer);
    const address = (type: "ETH" | "MOB") => ({
      id: ids[type],
      address: `${type.toLowerCase()}-of-${customer.user.id}`,
    });
    const accountId = customer.user.id;
    const sessionId = await openTestSession(world.ctx.db, accountId);
    const user = { accountId, sessionId, own: { ETH: address("ETH"), MOB: address("MOB") } };
    const { id, fundingAddress } = await world.lock(user, "USDT", "100");
    // 70 USDT more than agreed: the surplus is refunded.
    world.usdt.deposit(fundingAddress, 170_000_000n, { txHash: depositHash });
    await world.settle();
    await world.settle();
    order = await world.see(user, id);
    expect(order.outgoing_txs.map(({ purpose }) => purpose).sort()).toEqual(["payout", "refund"]);
  }, 180_000);
  afterAll(() => exchange?.close());
  beforeEach(() => revoke());

  const path = () => `/api/swap/swaps/${order.id}/tracking-link`;
  const create = async () => {
    const { status, body } = await exchange.api("POST", path(), { token: customer.token });
    expect(status).toBe(201);
    return body.token as string;
  };
  const revoke = () => exchange.api("DELETE", path(), { token: customer.token });
  const follow = (token: string, remoteAddress?: string) =>
    exchange.api("GET", "/api/tracking", { headers: { "X-Tracking-Token": token }, remoteAddress });

  it("T74 shows the state, amounts, confirmations and times, but never the owner or an address", async () => {
    const { status, body, headers } = await follow(await create());
    expect([status, headers.get("Cache-Control")]).toEqual([200, "private, no-store"]);
    expect(body).toEqual({
      status: "completed",
      source_asset_symbol: "USDT",
      target_asset_symbol: "MOB",
      source_amount: order.source_amount,
      target_amount: order.target_amount,
      received_amount: "170",
      expires_at: order.expires_at,
      created_at: order.created_at,
      updated_at: order.updated_at,
      transactions: [...order.incoming_txs, ...order.outgoing_txs].map(
        ({ id: _, hash: __, refund_cost: ___, address: ____, block_time: _____, ...shown }) => shown,
      ),
    });
    const text = JSON.stringify(body);
    const hashes = [...order.incoming_txs, ...order.outgoing_txs].flatMap(({ id, hash }) => [id, hash ?? id]);
    const addresses = [order.delivery_address, order.refund_address, order.funding_address];
    const numbers = [String(order.quote_id), toOrderNumber(order.quote_id), order.id];
    for (const secret of [...hashes, ...addresses, ...numbers, customer.user.id, customer.email, "lovelace"]) {
      expect(text).not.toContain(secret);
    }
  });

  it("T74 stores only a hash of the token, and no export or later response contains it", async () => {
    const token = await create();
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const [row] = await world.ctx.db.select().from(orders).where(eq(orders.id, order.id));
    expect(JSON.stringify(row, (_, value) => (typeof value === "bigint" ? `${value}` : value))).not.toContain(token);
    const read = await exchange.api<Order>("GET", `/api/swap/swaps/${order.id}`, { token: customer.token });
    expect(read.body.tracked_since).toEqual(expect.any(String));
    expect(JSON.stringify(read.body)).not.toContain(token);
  });

  it("T75 gives revoked, replaced, unknown and malformed tokens exactly the same response", async () => {
    const replaced = await create();
    const revoked = await create();
    expect((await follow(revoked)).status).toBe(200);
    expect((await revoke()).status).toBe(204);
    const responses = await Promise.all(
      [replaced, revoked, "A".repeat(43), "x", "' or 1=1"].map(async (token) => {
        const { status, body } = await follow(token);
        return JSON.stringify([status, body]);
      }),
    );
    expect(new Set(responses).size).toBe(1);
    expect(JSON.parse(responses[0] ?? "")).toEqual([404, { detail: { code: "not_found", message: "Not found." } }]);
    const read = await exchange.api<Order>("GET", `/api/swap/swaps/${order.id}`, { token: customer.token });
    expect(read.body.tracked_since).toBeNull();
  });

  it("T35 lets only the owner make and revoke a link, and does not change the swap", async () => {
    const token = await create();
    for (const method of ["POST", "DELETE"]) {
      expect((await exchange.api(method, path(), { token: stranger.token })).status).toBe(404);
      expect((await exchange.api(method, path())).status).toBe(401);
    }
    expect((await follow(token)).status).toBe(200);
    const read = await exchange.api<Order>("GET", `/api/swap/swaps/${order.id}`, { token: customer.token });
    expect(read.body.updated_at).toBe(order.updated_at);
  });

  it("T75 limits how often one network can try tokens", async () => {
    const statuses = new Set<number>();
    for (let i = 0; i <= 60; i += 1) statuses.add((await follow(`guess-${i}`, "192.0.2.1")).status);
    expect([...statuses]).toEqual([404, 429]);
    expect((await follow("guess", "198.51.100.1")).status).toBe(404);
  });
});

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  assetsSchema,
  deliveryAddressSchema,
  errorSchema,
  fundingAddressSchema,
  orderSchema,
  pageSchema,
  quoteSchema,
  ratesSchema,
  statusSchema,
} from "~/api/contract";
import { parseAmount } from "~/lib/money";
import { startSandboxExchange } from "../../support/sandbox-exchange";
import { until } from "../../support/until";

type World = Awaited<ReturnType<typeof startSandboxExchange>>;
const receiver = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const refunds = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/** Uses only the API and the sandbox's calls, over real chains, as an external client would. */
describe("swaps through the API", () => {
  let w: World;
  let token: string;
  let other: string;
  let mob: string;
  let eth: string;
  let ethRefund: string;
  let mobWallet: string;

  beforeAll(async () => {
    w = await startSandboxExchange();
    token = await w.signUp("ada@example.org");
    other = await w.signUp("mallory@example.org");
    mobWallet = (await w.call("GET", "/sandbox/mobilecoin/wallet")).body.address;
    const add = async (type: string, address: string) =>
      (
        await w.read(deliveryAddressSchema, 201, "POST", "/api/swap/delivery-addresses", {
          token,
          body: { type, address, label: "" },
        })
      ).id;
    mob = await add("MOB", mobWallet);
    eth = await add("ETH", receiver);
    ethRefund = await add("ETH", refunds);
  }, 120_000);
  afterAll(() => w?.stop());

  const quoteOf = (body: Record<string, string>) =>
    w.read(quoteSchema, 201, "POST", "/api/swap/quotes", { token, body });
  const lockOf = (id: number, delivery: string, refund: string, key: string = randomUUID()) =>
    w.read(orderSchema, 201, "POST", `/api/swap/quotes/${id}/lock`, {
      token,
      headers: { "Idempotency-Key": key },
      body: { delivery_address_id: delivery, refund_address_id: refund },
    });
  const orderOf = (id: string) => w.read(orderSchema, 200, "GET", `/api/swap/swaps/${id}`, { token });
  const usdtOf = async (address: string) => {
    const data = `0x70a08231${address.slice(2).toLowerCase().padStart(64, "0")}`;
    const { body } = await w.call("POST", "/sandbox/ethereum", {
      body: { jsonrpc: "2.0", id: 1, method: "eth_call", params: [{ to: await tokenAddress(), data }, "latest"] },
    });
    return BigInt(body.result);
  };
  let tokenContract: string | undefined;
  const tokenAddress = async () => {
    if (!tokenContract) {
      const quote = await quoteOf({ source_asset_symbol: "USDT", target_asset_symbol: "MOB", source_amount: "50" });
      const order = await lockOf(quote.id, mob, eth);
      const funding = await w.read(fundingAddressSchema, 200, "GET", `/api/swap/quotes/${quote.id}/funding-address`, {
        token,
      });
      tokenContract = /^ethereum:(0x[0-9a-fA-F]{40})@11155111\/transfer/.exec(funding.uri)?.[1];
      await w.call("POST", `/api/swap/swaps/${order.id}/cancel`, { token });
    }
    return tokenContract;
  };

  it("C03 serves assets (as a plain array), rates, status and the OpenAPI document without a token", async () => {
    const assets = await w.read(assetsSchema, 200, "GET", "/api/swap/assets");
    expect(assets.map((asset) => asset.symbol).sort()).toEqual(["MOB", "USDT"]);
    const rates = await w.read(ratesSchema, 200, "GET", "/api/rates?range=7d");
    expect(rates.history.length).toBeGreaterThan(50);
    const status = await w.read(statusSchema, 200, "GET", "/api/status");
    expect(status).toMatchObject({
      mode: "sandbox",
      accepting_swaps: true,
      chains: { ethereum: { chain_id: 11155111 } },
    });
    const { body } = await w.call("GET", "/api/openapi.json");
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining(["/api/swap/quotes/{id}/lock", "/api/swap/swaps/{id}/decision"]),
    );
  });

  it("responds to sandbox calls with 405 and Allow for a wrong method, 404 for an unknown path, and no body for a notification", async () => {
    for (const [method, path, allow] of [
      ["POST", "/sandbox/inbox", "GET, HEAD"],
      ["GET", "/sandbox/faucet", "POST"],
      ["DELETE", "/sandbox/mobilecoin/wallet", "GET, HEAD"],
    ] as const) {
      const { status, body, headers } = await w.call(method, path);
      expect([path, status, body.detail, headers.get("Allow")]).toEqual([
        path,
        405,
        { code: "method_not_allowed", message: "This method is not allowed here." },
        allow,
      ]);
    }
    expect((await w.call("POST", "/sandbox/nothing")).status).toBe(404);
    const notification = { body: { jsonrpc: "2.0", method: "eth_chainId", params: [] } };
    expect(await w.call("POST", "/sandbox/ethereum", notification)).toMatchObject({ status: 204, body: "" });
  });

  it("swaps USDT to MOB, exact to the pico-MOB, and streams its statuses in order", async () => {
    const quote = await quoteOf({ source_asset_symbol: "USDT", target_asset_symbol: "MOB", source_amount: "250" });
    expect(quote).toMatchObject({ status: "open", fee_amount: "1.25", fee_asset_symbol: "USDT", locked_at: null });
    const key = randomUUID();
    const order = await lockOf(quote.id, mob, ethRefund, key);
    expect(order.status).toBe("awaiting_deposit");
    const again = await w.read(orderSchema, 200, "POST", `/api/swap/quotes/${quote.id}/lock`, {
      token,
      headers: { "Idempotency-Key": key },
      body: { delivery_address_id: mob, refund_address_id: ethRefund },
    });
    expect(again.id).toBe(order.id);
    const active = await w.read(quoteSchema, 200, "GET", `/api/swap/quotes/${quote.id}`, { token });
    expect(active.status).toBe("locked");

    const abort = new AbortController();
    const events = await w.exchange.fetch(
      new Request(`${w.config.origin}/api/swap/swaps/${order.id}/events`, {
        headers: { "X-Auth-Token": token },
        signal: abort.signal,
      }),
    );
    expect(events.headers.get("Content-Type")).toContain("text/event-stream");
    const statuses = readStatuses(events, abort);

    const before = (await w.call("GET", "/sandbox/mobilecoin/wallet")).body.received.length;
    const paid = await w.call("POST", "/sandbox/faucet", {
      body: { address: order.funding_address, asset: "USDT", amount: "250" },
    });
    expect(paid.status).toBe(200);
    const done = await until("completed", async () => {
      const now = await orderOf(order.id);
      return now.status === "completed" && now;
    });
    expect(done.incoming_txs).toMatchObject([
      { purpose: "deposit", status: "confirmed", amount: "250", hash: paid.body.hash },
    ]);
    expect(done.outgoing_txs).toMatchObject([{ purpose: "payout", status: "confirmed", amount: quote.target_amount }]);
    const { body: wallet } = await w.call("GET", "/sandbox/mobilecoin/wallet");
    expect(wallet.received.length).toBe(before + 1);
    expect(wallet.received[0].amount).toBe(quote.target_amount);
    // The stream sends each change that it sees, but may miss a payout that completes immediately.
    const streamed = [...new Set(await statuses)];
    const all = ["awaiting_deposit", "confirming", "paying_out", "completed"];
    expect(streamed).toEqual(all.filter((status) => status !== "paying_out" || streamed.includes(status)));
    expect((await w.read(quoteSchema, 200, "GET", `/api/swap/quotes/${quote.id}`, { token })).status).toBe("used");
  });

  it("swaps MOB to USDT by target amount, and pays exactly that amount on the chain", async () => {
    const before = await usdtOf(receiver);
    const quote = await quoteOf({ source_asset_symbol: "MOB", target_asset_symbol: "USDT", target_amount: "40" });
    expect(parseAmount(quote.target_amount, "USDT")).toBeGreaterThanOrEqual(40_000_000n);
    const order = await lockOf(quote.id, eth, mob);
    const funding = await w.read(fundingAddressSchema, 200, "GET", `/api/swap/quotes/${quote.id}/funding-address`, {
      token,
    });
    expect(funding).toMatchObject({
      network: "mobilecoin",
      address: order.funding_address,
      amount: quote.source_amount,
    });
    await w.call("POST", "/sandbox/mobilecoin/pay", { body: { address: funding.address, amount: funding.amount } });
    await until("completed", async () => (await orderOf(order.id)).status === "completed");
    expect((await usdtOf(receiver)) - before).toBe(parseAmount(quote.target_amount, "USDT"));
  });

  it("T35 hides quotes, orders, events and addresses from other accounts", async () => {
    const quote = await quoteOf({ source_asset_symbol: "USDT", target_asset_symbol: "MOB", source_amount: "20" });
    const order = await lockOf(quote.id, mob, eth);
    const calls: [string, string, unknown?][] = [
      ["GET", `/api/swap/quotes/${quote.id}`],
      ["GET", `/api/swap/quotes/${quote.id}/funding-address`],
      ["POST", `/api/swap/quotes/${quote.id}/lock`, { delivery_address_id: mob, refund_address_id: eth }],
      ["GET", `/api/swap/swaps/${order.id}`],
      ["GET", `/api/swap/swaps/${order.id}/events`],
      ["POST", `/api/swap/swaps/${order.id}/cancel`],
      ["POST", `/api/swap/swaps/${order.id}/decision`, { choice: "refund" }],
      ["DELETE", `/api/swap/delivery-addresses/${mob}`],
    ];
    for (const [method, path, body] of calls) {
      const headers = { "Idempotency-Key": randomUUID() };
      const stranger = await w.call(method, path, { token: other, body, headers });
      expect([method, path, stranger.status]).toEqual([method, path, 404]);
      expect((await w.call(method, path, { body, headers })).status).toBe(401);
    }
    expect((await w.call("POST", `/api/swap/swaps/${order.id}/cancel`, { token })).status).toBe(200);
    expect((await w.call("POST", `/api/swap/swaps/${order.id}/cancel`, { token })).status).toBe(200);
  });

  it("T16 allows four event streams per account, and another one when one ends", async () => {
    const quote = await quoteOf({ source_asset_symbol: "USDT", target_asset_symbol: "MOB", source_amount: "20" });
    const order = await lockOf(quote.id, mob, eth);
    const open = (abort: AbortController) =>
      w.exchange.fetch(
        new Request(`${w.config.origin}/api/swap/swaps/${order.id}/events`, {
          headers: { "X-Auth-Token": token },
          signal: abort.signal,
        }),
      );
    const aborts = Array.from({ length: 4 }, () => new AbortController());
    const streams = await Promise.all(aborts.map(open));
    expect(streams.map((stream) => stream.status)).toEqual([200, 200, 200, 200]);
    const fifth = await open(new AbortController());
    expect([fifth.status, fifth.headers.get("Retry-After")]).toEqual([429, "10"]);
    aborts[0]?.abort();
    const late = new AbortController();
    await until("room for another", async () => (await open(late)).status === 200);
    for (const abort of [...aborts, late]) abort.abort();
    await w.call("POST", `/api/swap/swaps/${order.id}/cancel`, { token });
  });

  it("refuses a lock without a key (400), with a key used differently (422), of a locked quote (409), with a wrong address (422)", async () => {
    const quote = await quoteOf({ source_asset_symbol: "USDT", target_asset_symbol: "MOB", source_amount: "20" });
    const path = `/api/swap/quotes/${quote.id}/lock`;
    const body = { delivery_address_id: mob, refund_address_id: eth };
    const refused = async (
      status: number,
      code: string,
      options: { headers?: Record<string, string>; body: unknown },
    ) => {
      const { detail } = await w.read(errorSchema, status, "POST", path, { token, ...options });
      expect(detail.code).toBe(code);
    };
    await refused(400, "idempotency_key_missing", { body });
    await refused(422, "invalid", {
      headers: { "Idempotency-Key": "a" },
      body: { delivery_address_id: eth, refund_address_id: eth },
    });
    await refused(422, "invalid", { headers: { "Idempotency-Key": "a" }, body: { ...body, rate: "9" } });
    const order = await lockOf(quote.id, mob, eth, "the-key");
    await refused(409, "quote_locked", { headers: { "Idempotency-Key": "b" }, body });
    await refused(422, "idempotency_key_reused", {
      headers: { "Idempotency-Key": "the-key" },
      body: { ...body, refund_address_id: ethRefund },
    });
    await w.call("POST", `/api/swap/swaps/${order.id}/cancel`, { token });
  });

  it("T42 refuses malformed, too small and too large amounts with 422, naming the field", async () => {
    const refuse = async (amount: unknown, code: string) => {
      const { detail } = await w.read(errorSchema, 422, "POST", "/api/swap/quotes", {
        token,
        body: { source_asset_symbol: "USDT", target_asset_symbol: "MOB", source_amount: amount },
      });
      expect([amount, detail.code]).toEqual([amount, code]);
    };
    for (const amount of ["-5", "1e30", "0x10", "NaN", "", " 5", "٥", 50, null, "1".repeat(60)])
      await refuse(amount, "invalid");
    await refuse("50.1234567", "amount_invalid");
    await refuse("0", "amount_invalid");
    await refuse("9.999999", "amount_too_small");
    await refuse("10000.000001", "amount_too_large");
  });

  it("returns the newest open quote as active, and keeps earlier ones open", async () => {
    const first = await quoteOf({ source_asset_symbol: "USDT", target_asset_symbol: "MOB", source_amount: "20" });
    const second = await quoteOf({ source_asset_symbol: "MOB", target_asset_symbol: "USDT", source_amount: "100" });
    expect((await w.read(quoteSchema, 200, "GET", "/api/swap/quotes/active", { token })).id).toBe(second.id);
    expect((await w.read(quoteSchema, 200, "GET", `/api/swap/quotes/${first.id}`, { token })).status).toBe("open");
    expect((await w.call("GET", "/api/swap/quotes/active", { token: other })).status).toBe(404);
  });

  it("lists orders in pages, newest first, and filters by quote", async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor ? `&cursor=${cursor}` : "";
      const page: { items: { id: string; created_at: string }[]; next: string | null } = await w.read(
        pageSchema(orderSchema),
        200,
        "GET",
        `/api/swap/swaps?limit=2${query}`,
        { token },
      );
      seen.push(...page.items.map((item) => item.id));
      cursor = page.next;
    } while (cursor && seen.length < 50);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThanOrEqual(4);
    const newest = await orderOf(seen[0] ?? "");
    const byQuote = await w.read(pageSchema(orderSchema), 200, "GET", `/api/swap/swaps?quote_id=${newest.quote_id}`, {
      token,
    });
    expect(byQuote.items.map((item) => item.id)).toEqual([newest.id]);
  });

  it("refuses impossible query parameters with 422", async () => {
    for (const query of [
      "quote_id=1e300",
      "quote_id=99999999999999999999",
      "quote_id=0x10",
      "cursor=OTk5OTk5OTk5OTk5OTk5LmFiYw",
      "limit=0",
    ]) {
      expect([query, (await w.call("GET", `/api/swap/swaps?${query}`, { token })).status]).toEqual([query, 422]);
    }
  });

  it("refuses invalid sandbox calls with an error message, and responds to a JSON-RPC batch", async () => {
    const refused = async (path: string, body: unknown, status: number) =>
      expect((await w.read(errorSchema, status, "POST", path, { body })).detail.message).not.toBe("");
    await refused("/sandbox/faucet", { address: "0x12", asset: "USDT", amount: "5" }, 422);
    await refused("/sandbox/faucet", { address: receiver, asset: "USDT", amount: "10001" }, 422);
    await refused("/sandbox/faucet", { address: receiver, asset: "ETH", amount: "1.1" }, 422);
    await refused("/sandbox/mobilecoin/pay", { address: "not an address", amount: "5" }, 422);
    const { body } = await w.call("POST", "/sandbox/ethereum", {
      body: [
        { jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] },
        { jsonrpc: "2.0", id: 2, method: "eth_blockNumber", params: [] },
      ],
    });
    expect(body).toHaveLength(2);
    expect(z.object({ result: z.string() }).parse(body[0]).result).toBe("0xaa36a7");
  });
});

/** Reads events until the order is completed. @returns the statuses in the events */
async function readStatuses(events: Response, abort: AbortController): Promise<string[]> {
  const statuses: string[] = [];
  const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (const deadline = Date.now() + 60_000; reader && Date.now() < deadline; ) {
    const { value, done } = await reader.read();
    if (done) break;
    text += value;
    for (const [, json = ""] of text.matchAll(/^data: (.*)\n/gm)) statuses.push(JSON.parse(json).status);
    text = text.slice(text.lastIndexOf("\n\n") + 2);
    if (statuses.at(-1) === "completed") break;
  }
  abort.abort();
  return statuses;
}

import { describe, expect, it } from "vitest";
import { type ApiClient, createApiClient } from "~/api/client";
import { ApiContractError, ApiError } from "~/api/errors";
import { makeCompletedOrder } from "../../support/orders";
import { makeQuote } from "../../support/quotes";
import { makeRates } from "../../support/rates";
import { makeUser } from "../../support/site";

const at = "2026-01-01T00:00:00.000Z";
const order = makeCompletedOrder({ quote_id: 7 });
const quote = makeQuote({ id: 7 });
const mobAddress = { id: "a1", type: "MOB", address: "x", label: "", created_at: at };
const ethAddress = { ...mobAddress, id: "a2", type: "ETH" };
const kyc = { status: "pending", reasons: [], updated_at: null };
const passkey = { id: "p", name: "Phone", created_at: at, last_used_at: null, backed_up: true };
const session = { id: "s", method: "email", created_at: at, last_used_at: at, current: true, user_agent: null };
const priceAlert = { id: "p", direction: "above", rate: "0.5", created_at: at };
const chain = { ok: true, height: 1, chain_id: 1, synced: true, checked_at: at };
const status = {
  mode: "live",
  accepting_swaps: true,
  reason: null,
  chains: { ethereum: chain, mobilecoin: { ...chain, chain_id: "mobilecoin" } },
};
const history = { since: at, interruptions: [{ reason: "paused", from: at, to: null }] };
const assets = [{ symbol: "MOB", name: "MobileCoin", network: "mobilecoin", decimals: 12 }];
const rates = makeRates();
const { history: _, ...currentRates } = rates;
const funding = {
  asset_symbol: "USDT",
  network: "ethereum",
  chain_id: 1,
  address: "0x1",
  amount: "100",
  uri: "ethereum:0x1",
  wallet_link: "ethereum:0x1",
  expires_at: at,
};
const page = (items: unknown[], next: string | null = null) => ({ items, next });
const application = {
  first_name: "Ada",
  last_name: "Lovelace",
  date_of_birth: "1990-04-30",
  country: "GB",
  document_type: "passport",
  document_number: "123",
} as const;
const newQuote = { source_asset_symbol: "USDT", target_asset_symbol: "MOB", source_amount: "10" } as const;
const lock = { delivery_address_id: "a1", refund_address_id: "a2" };

/** A client whose requests get these responses in turn; all further requests get the last one. */
function open(...responses: Response[]) {
  const requests: Request[] = [];
  const api = createApiClient({
    baseUrl: "http://exchange.invalid",
    accessToken: () => "token",
    fetch: async (request) => {
      requests.push(request.clone());
      const response = responses[Math.min(requests.length, responses.length) - 1];
      return response?.clone() ?? new Response(null, { status: 500 });
    },
  });
  return { api, requests };
}

async function describeRequest(request: Request | undefined) {
  if (!request) return null;
  const { pathname, search } = new URL(request.url);
  const body = await request.text();
  return [`${request.method} ${pathname}${search}`, body === "" ? null : JSON.parse(body)];
}

async function collect<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const found of pages) all.push(found);
  return all;
}

const refused = (code: number) => Response.json({ detail: { message: "No.", code: "no" } }, { status: code });
const nothing = new Response(null, { status: 204 });

type CallCase = {
  call: (api: ApiClient) => Promise<unknown>;
  request: string;
  body?: unknown;
  response?: unknown;
  /** What the call resolves with, if it differs from `response`. */
  result?: unknown;
};

const symbols = assets.map(({ symbol }) => ({ symbol }));

const cases: CallCase[] = [
  { call: (api) => api.getCurrentUser(), request: "GET /api/users/me", response: makeUser() },
  { call: (api) => api.getAssets(), request: "GET /api/swap/assets", response: assets, result: symbols },
  { call: (api) => api.getRates(), request: "GET /api/rates", response: rates },
  { call: (api) => api.getRates("7d"), request: "GET /api/rates?range=7d", response: rates },
  {
    call: (api) => api.getCurrentRates(),
    request: "GET /api/rates?range=1h",
    response: rates,
    result: currentRates,
  },
  { call: (api) => api.getStatus(), request: "GET /api/status", response: status },
  { call: (api) => api.getRecentStatus(), request: "GET /api/status?recent=true", response: status },
  { call: (api) => api.getStatusHistory(), request: "GET /api/status/history", response: history },
  {
    call: (api) => api.sendSupportMessage({ message: "Hello" }),
    request: "POST /api/support/messages",
    body: { message: "Hello" },
  },
  { call: (api) => api.createQuote(newQuote), request: "POST /api/swap/quotes", body: newQuote, response: quote },
  { call: (api) => api.getQuote(7), request: "GET /api/swap/quotes/7", response: quote },
  { call: (api) => api.getActiveQuote(), request: "GET /api/swap/quotes/active", response: quote },
  { call: (api) => api.lockQuote(7, lock, "k"), request: "POST /api/swap/quotes/7/lock", body: lock, response: order },
  { call: (api) => api.getFundingAddress(7), request: "GET /api/swap/quotes/7/funding-address", response: funding },
  { call: (api) => api.listOrders(), request: "GET /api/swap/swaps", response: page([order], "c") },
  {
    call: (api) => api.listOrders({ cursor: "a&b", limit: 5 }),
    request: "GET /api/swap/swaps?cursor=a%26b&limit=5",
    response: page([]),
  },
  { call: (api) => api.getOrder("o/1"), request: "GET /api/swap/swaps/o%2F1", response: order },
  {
    call: (api) => api.decideOrder("o/1", { choice: "refund" }),
    request: "POST /api/swap/swaps/o%2F1/decision",
    body: { choice: "refund" },
    response: order,
  },
  { call: (api) => api.cancelOrder("o/1"), request: "POST /api/swap/swaps/o%2F1/cancel", body: {}, response: order },
  {
    call: (api) => api.listAddresses(),
    request: "GET /api/swap/delivery-addresses?limit=100",
    response: page([mobAddress, ethAddress]),
    result: [mobAddress, ethAddress],
  },
  {
    call: (api) => api.listAddresses("ETH"),
    request: "GET /api/swap/delivery-addresses?limit=100",
    response: page([mobAddress, ethAddress]),
    result: [ethAddress],
  },
  {
    call: (api) => api.addAddress({ type: "MOB", address: "x" }),
    request: "POST /api/swap/delivery-addresses",
    body: { type: "MOB", address: "x" },
    response: mobAddress,
  },
  { call: (api) => api.removeAddress("a/1"), request: "DELETE /api/swap/delivery-addresses/a%2F1" },
  {
    call: (api) => api.findEnsAddress("ada.eth"),
    request: "POST /api/swap/ens-names",
    body: { name: "ada.eth" },
    response: { name: "ada.eth", address: "0x1" },
  },
  {
    call: (api) => api.listPriceAlerts(),
    request: "GET /api/users/me/price-alerts",
    response: { items: [priceAlert] },
    result: [priceAlert],
  },
  {
    call: (api) => api.addPriceAlert({ direction: "above", rate: "0.5" }),
    request: "POST /api/users/me/price-alerts",
    body: { direction: "above", rate: "0.5" },
    response: priceAlert,
  },
  {
    call: (api) => api.listConsents(),
    request: "GET /api/users/me/consents",
    response: { items: [{ document: "terms", version: "1", accepted_at: "2026-01-01T00:00:00.000Z" }] },
    result: [{ document: "terms", version: "1", accepted_at: "2026-01-01T00:00:00.000Z" }],
  },
  {
    call: (api) => api.recordConsents({ accepted: [{ document: "terms", version: "1" }] }),
    request: "POST /api/users/me/consents",
    body: { accepted: [{ document: "terms", version: "1" }] },
    response: { items: [] },
    result: { items: [] },
  },
  {
    call: (api) => api.getPushKey(),
    request: "GET /api/users/me/push-key",
    response: { public_key: "BPoint" },
  },
  {
    call: (api) => api.addPushSubscription({ endpoint: "https://push.example/1", keys: { p256dh: "B", auth: "s" } }),
    request: "POST /api/users/me/push-subscriptions",
    body: { endpoint: "https://push.example/1", keys: { p256dh: "B", auth: "s" } },
  },
  { call: (api) => api.removePriceAlert("p/1"), request: "DELETE /api/users/me/price-alerts/p%2F1" },
  { call: (api) => api.getKyc(), request: "GET /api/kyc", response: kyc },
  { call: (api) => api.submitKyc(application), request: "POST /api/kyc", body: application, response: kyc },
  {
    call: (api) => api.listPasskeys(),
    request: "GET /api/users/me/passkeys?limit=100",
    response: { items: [passkey] },
    result: [passkey],
  },
  {
    call: (api) => api.renamePasskey("p/1", "Phone"),
    request: "PATCH /api/users/me/passkeys/p%2F1",
    body: { name: "Phone" },
    response: passkey,
  },
  { call: (api) => api.removePasskey("p/1"), request: "DELETE /api/users/me/passkeys/p%2F1" },
  {
    call: (api) => api.listSessions(),
    request: "GET /api/users/me/sessions?limit=100",
    response: { items: [session] },
    result: [session],
  },
  {
    call: (api) => api.getMailPreferences(),
    request: "GET /api/users/me/mail-preferences",
    response: { payment_seen: true, paid_out: false, refunded: true },
  },
  {
    call: (api) => api.setMailPreferences({ refunded: false }),
    request: "PATCH /api/users/me/mail-preferences",
    body: { refunded: false },
    response: { payment_seen: true, paid_out: true, refunded: false },
  },
  {
    call: (api) => api.getDeletion(),
    request: "GET /api/users/me/deletion",
    response: { obstacles: [], retention_years: 5, records_kept_until: null },
  },
  {
    call: (api) => api.deleteAccount(),
    request: "POST /api/users/me/deletion",
    body: { confirm: "delete my account" },
  },
  {
    call: (api) => api.deleteAccount({ challenge_id: "c", code: "123456" }),
    request: "POST /api/users/me/deletion",
    body: { confirm: "delete my account", proof: { challenge_id: "c", code: "123456" } },
  },
  { call: (api) => api.endSession("s/1"), request: "DELETE /api/users/me/sessions/s%2F1" },
  { call: (api) => api.endOtherSessions(), request: "DELETE /api/users/me/sessions" },
  {
    call: (api) => api.createTrackingLink("o/1"),
    request: "POST /api/swap/swaps/o%2F1/tracking-link",
    body: {},
    response: { token: "t".repeat(43) },
    result: "t".repeat(43),
  },
  { call: (api) => api.revokeTrackingLink("o/1"), request: "DELETE /api/swap/swaps/o%2F1/tracking-link" },
  { call: (api) => api.signOut(), request: "POST /api/auth/logout", body: {} },
];

describe("the calls of the API client", () => {
  it.each(cases.map((row) => [row.request, row] as const))("sends %s and returns what it gets", async (_name, row) => {
    const { api, requests } = open(row.response === undefined ? nothing : Response.json(row.response));
    expect(await row.call(api)).toEqual("result" in row ? row.result : row.response);
    expect(await describeRequest(requests[0])).toEqual([row.request, row.body ?? null]);
    expect(requests).toHaveLength(1);
  });

  const reads = cases.filter((row) => row.response !== undefined);
  it.each(reads.map((row) => [row.request, row] as const))(
    "%s refuses a response of another shape",
    async (_n, row) => {
      const { api } = open(Response.json({ other: 1 }));
      await expect(row.call(api)).rejects.toThrow(
        `The response to ${row.request.replace(/\?.*/, "")} does not match the contract.`,
      );
    },
  );

  it.each([
    ["C07 refreshes", (api: ApiClient) => api.refresh("r"), "Authentication failed: Server Error"],
    ["C08 signs in", (api: ApiClient) => api.startPasskeySignInFor("ada@example.org"), "Server Error"],
    ["C09 registers", (api: ApiClient) => api.startRegistration("ada@example.org"), "Server Error"],
    ["C04 sends a code", (api: ApiClient) => api.requestEmailCode("ada@example.org"), "Server Error"],
  ])("%s only with a complete response (E07, E08)", async (_name, call, text) => {
    for (const body of ["{}", "no JSON"]) {
      const error = await call(open(new Response(body, { status: 202 })).api).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ name: "SignInResponseError", message: text });
    }
  });

  it("returns null only for the expected failure, and rejects for any other", async () => {
    await expect(open(refused(403)).api.getActiveQuote()).rejects.toMatchObject({ status: 403 });
    expect(await open(refused(409)).api.getFundingAddress(7)).toBeNull();
    await expect(open(refused(404)).api.getFundingAddress(7)).rejects.toMatchObject({ status: 404 });
  });

  it("sends the token of a tracking link in a header", async () => {
    const { api, requests } = open(refused(404));
    await expect(api.getTrackedOrder("token-1")).rejects.toMatchObject({ status: 404 });
    expect([requests[0]?.url, requests[0]?.headers.get("x-tracking-token")]).toEqual([
      "http://exchange.invalid/api/tracking",
      "token-1",
    ]);
  });

  it("requests the user's data once, as a zip", async () => {
    const { api, requests } = open(refused(503));
    await expect(api.exportData()).rejects.toBeInstanceOf(ApiError);
    expect(requests.map(({ url, headers }) => [url, headers.get("accept")])).toEqual([
      ["http://exchange.invalid/api/users/me/export", "application/zip"],
    ]);
  });

  it("locks a quote with the caller's idempotency key", async () => {
    const { api, requests } = open(Response.json(order));
    await api.lockQuote(7, lock, "key-1");
    expect(requests[0]?.headers.get("idempotency-key")).toBe("key-1");
  });

  it("finds the order of a quote on any page", async () => {
    const other = makeCompletedOrder({ id: "other", quote_id: 8 });
    const { api, requests } = open(Response.json(page([other], "next")), Response.json(page([other, order], "more")));
    expect(await api.getOrderByQuote(7)).toEqual(order);
    expect((await Promise.all(requests.map(describeRequest))).map((request) => request?.[0])).toEqual([
      "GET /api/swap/swaps?limit=100&quote_id=7",
      "GET /api/swap/swaps?limit=100&cursor=next&quote_id=7",
    ]);
    const without = open(Response.json(page([other])));
    expect(await without.api.getOrderByQuote(7)).toBeNull();
    expect(without.requests).toHaveLength(1);
  });

  it.each<[string, (api: ApiClient) => Promise<unknown>, string]>([
    ["the addresses", (api) => api.listAddresses(), "GET /api/swap/delivery-addresses"],
    ["the order of a quote", (api) => api.getOrderByQuote(7), "GET /api/swap/swaps"],
    ["all orders", (api) => collect(api.walkOrders()), "GET /api/swap/swaps"],
  ])("gives up %s if the server ignores cursors or never ends the list", async (_name, call, name) => {
    const same = open(Response.json(page([], "again")));
    await expect(call(same.api)).rejects.toThrow(`The response to ${name} does not match the contract.`);
    expect(same.requests).toHaveLength(2);
    let pages = 0;
    const logged: ApiContractError[] = [];
    const endless = createApiClient({
      baseUrl: "http://exchange.invalid",
      accessToken: () => null,
      onContractError: (error) => void logged.push(error),
      fetch: async () => Response.json(page([], String(pages++))),
    });
    await expect(call(endless)).rejects.toBeInstanceOf(ApiContractError);
    expect(logged).toHaveLength(1);
    expect(pages).toBeLessThanOrEqual(1_000);
  });

  it("reads all pages of the orders that match", async () => {
    const { api, requests } = open(Response.json(page([order], "2")), Response.json(page([order])));
    expect(await collect(api.walkOrders({ search: "A1" }))).toEqual([[order], [order]]);
    expect((await Promise.all(requests.map(describeRequest))).map((request) => request?.[0])).toEqual([
      "GET /api/swap/swaps?limit=100&search=A1",
      "GET /api/swap/swaps?limit=100&cursor=2&search=A1",
    ]);
  });

  it("opens the events of an order, from the last event that arrived, and does not retry", async () => {
    const { api, requests } = open(new Response("data: {}\n\n"));
    expect(await (await api.orderEvents("o/1", "e7")).text()).toBe("data: {}\n\n");
    await api.orderEvents("o/1");
    const sent = requests.map(({ url, headers }) => [url, headers.get("accept"), headers.get("last-event-id")]);
    const url = "http://exchange.invalid/api/swap/swaps/o%2F1/events";
    expect(sent).toEqual([
      [url, "text/event-stream", "e7"],
      [url, "text/event-stream", null],
    ]);
    const failing = open(refused(503));
    await expect(failing.api.orderEvents("o")).rejects.toBeInstanceOf(ApiError);
    expect(failing.requests).toHaveLength(1);
  });

  it("refuses a body that is not JSON, and names the call and the cause", async () => {
    const error = await open(new Response("<html>"))
      .api.getKyc()
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ApiContractError);
    expect(error).toMatchObject({
      name: "ApiContractError",
      message: "The response to GET /api/kyc does not match the contract.",
      cause: expect.any(SyntaxError),
    });
  });
});

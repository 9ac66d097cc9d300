import { describe, expect, it, vi } from "vitest";
import { clientLoader, loader } from "~/routes/vegas/route";
import { args, fakeExchange, refusal, sessionCookie } from "../../../support/site";

const rates = {
  rates: { USDT_MOB: "2.856054700302", MOB_USDT: "0.35013335" },
  updated_at: "2026-01-01T00:00:00.000Z",
  fee_bps: 50,
  limits: { min_usdt: "10", max_usdt: "10000" },
  payout_cost: { USDT: "0.5", MOB: "0.0004" },
  refund_cost: { USDT: "0", MOB: "0" },
  confirmations: { USDT: 3, MOB: 1 },
  quote_ttl_seconds: 60,
  lock_ttl_seconds: 1800,
  grace_seconds: 120,
  history: [
    { at: "2026-01-01T00:00:00.000Z", rate: "0.35" },
    { at: "2026-01-01T01:00:00.000Z", rate: "0.357" },
  ],
};
const chain = { ok: true, height: 1234, chain_id: 1, synced: true, checked_at: "2026-01-01T00:00:00.000Z" };
const status = {
  mode: "sandbox",
  accepting_swaps: true,
  reason: null,
  chains: { ethereum: chain, mobilecoin: { ...chain, ok: false } },
};

/** Answers, and remembers the range that was asked for. */
function fakeBoard(changes: { rates?: object; status?: object } = {}) {
  const asked: (string | null)[] = [];
  const exchange = fakeExchange({
    "GET /api/rates": (request) => {
      asked.push(new URL(request.url).searchParams.get("range"));
      return Response.json({ ...rates, ...changes.rates });
    },
    "GET /api/status": () => Response.json({ ...status, ...changes.status }),
  });
  return { ...exchange, asked };
}

describe("/vegas", () => {
  it("R02 needs nobody to be signed in, and tells the exchange nothing of who is", async () => {
    const { calls } = fakeBoard();
    const signedOut = await loader(args("/vegas"));
    const signedIn = await loader(args("/vegas", { cookie: await sessionCookie() }));
    expect(signedIn).toEqual(signedOut);
    expect(calls.map(({ token }) => token)).toEqual([null, null, null, null]);
    expect(calls.some(({ call }) => call.includes("/users/"))).toBe(false);
  });

  it("shows the rate both ways, the change, limits, fee, costs and confirmations", async () => {
    fakeBoard();
    const { board } = await loader(args("/vegas"));
    expect(board).toMatchObject({
      price: { mobUsdt: "0.35013", usdtMob: "2.8560" },
      change: "up 2.00 %",
      status: { open: true, words: "Open for swaps" },
      chains: [
        { name: "Ethereum", ok: true, height: "1,234" },
        { name: "MobileCoin", ok: false },
      ],
    });
    expect(board?.facts.map(({ value }) => value)).toEqual([
      "10 to 10,000 USDT",
      "0.5 %, at least the payout's cost",
      "0.5 USDT or 0.0004 MOB",
      "3 for USDT, 1 for MOB",
      "60 seconds, locked 30 minutes",
    ]);
  });

  it("writes figures as the visitor does", async () => {
    fakeBoard();
    const { board } = await loader(args("/vegas", { headers: { "accept-language": "de-DE" } }));
    expect(board?.price?.mobUsdt).toBe("0,35013");
  });

  it.each([
    ["?range=7d", "7d"],
    ["", "24h"],
    ["?range=1y", "24h"],
    ["?range=toString", "24h"],
  ])("asks for the range of %j, anything else is dropped", async (search, range) => {
    const { asked } = fakeBoard();
    expect((await loader(args(`/vegas${search}`))).range).toBe(range);
    expect(asked).toEqual([range]);
  });

  it("says that there is no trustworthy price, and why no swaps are taken", async () => {
    fakeBoard({ rates: { rates: null, history: [] }, status: { accepting_swaps: false, reason: "rate_unknown" } });
    const { board } = await loader(args("/vegas"));
    expect(board).toMatchObject({
      price: null,
      chart: null,
      change: null,
      status: { open: false, words: "Paused: no trustworthy price right now" },
    });
  });

  it("a reason that it does not know is told without one", async () => {
    fakeBoard({ status: { accepting_swaps: false, reason: "constructor" } });
    expect((await loader(args("/vegas"))).board?.status.words).toBe("No new swaps right now");
  });

  it("stays up while the exchange is not", async () => {
    fakeExchange({
      "GET /api/rates": () => refusal(418, "x", "Starting."),
      "GET /api/status": () => Response.json(status),
    });
    expect(await loader(args("/vegas?range=1h"))).toEqual({ range: "1h", board: null });
  });

  it("is loaded as a document of its own, whatever page leads to it", async () => {
    const assign = vi.fn();
    vi.stubGlobal("window", { location: { assign } });
    const { request } = args("/vegas?range=30d");
    const navigation = clientLoader({ request, params: {} } as never);
    expect(assign.mock.calls).toEqual([[request.url]]);
    // The page that is left waits, and draws nothing of its own.
    expect(await Promise.race([navigation, "still waiting"])).toBe("still waiting");
    vi.unstubAllGlobals();
  });
});

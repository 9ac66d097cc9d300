import { describe, expect, it } from "vitest";
import routes from "~/routes";
import { loader } from "~/routes/vegas/route";
import { makeRates } from "../../../support/rates";
import { args, fakeExchange, refusal, sessionCookie } from "../../../support/site";

const rates = makeRates({
  rates: { USDT_MOB: "2.856054700302", MOB_USDT: "0.35013335" },
  updated_at: "2026-01-01T00:00:00.000Z",
  history: [
    { at: "2026-01-01T00:00:00.000Z", rate: "0.35" },
    { at: "2026-01-01T01:00:00.000Z", rate: "0.357" },
  ],
});
const chain = { ok: true, height: 1234, chain_id: 1, synced: true, checked_at: "2026-01-01T00:00:00.000Z" };
const status = {
  mode: "sandbox",
  accepting_swaps: true,
  reason: null,
  chains: { ethereum: chain, mobilecoin: { ...chain, ok: false } },
};

/** An exchange with rates and a status, which records the requested ranges. */
function fakeRates(changes: { rates?: object; status?: object } = {}) {
  const ranges: (string | null)[] = [];
  const exchange = fakeExchange({
    "GET /api/rates": (request) => {
      ranges.push(new URL(request.url).searchParams.get("range"));
      return Response.json({ ...rates, ...changes.rates });
    },
    "GET /api/status": () => Response.json({ ...status, ...changes.status }),
  });
  return { ...exchange, ranges };
}

describe("/vegas", () => {
  it("R02 is outside the layout", async () => {
    const table = await routes;
    expect(table.filter(({ children }) => !children).map(({ path }) => path)).toContain("vegas");
    const [layout] = table.filter(({ children }) => children);
    expect(JSON.stringify(layout)).not.toContain("vegas");
  });

  it("R02 is the same for everyone, and does not send a session to the exchange", async () => {
    const { calls } = fakeRates();
    const signedOut = await loader(args("/vegas"));
    const signedIn = await loader(args("/vegas", { cookie: await sessionCookie() }));
    expect(signedIn).toEqual(signedOut);
    expect(calls.map(({ token }) => token)).toEqual([null, null, null, null]);
    expect(calls.some(({ call }) => call.includes("/users/"))).toBe(false);
  });

  it("shows the rate both ways, the change, limits, fee, costs and confirmations", async () => {
    fakeRates();
    const { view } = await loader(args("/vegas"));
    expect(view).toMatchObject({
      price: { mobUsdt: "0.35013", usdtMob: "2.8560" },
      change: "up 2.00%",
      status: { open: true, label: "New swaps are possible" },
      chains: [
        { name: "Ethereum", ok: true, height: "1,234" },
        { name: "MobileCoin", ok: false },
      ],
    });
    expect(view?.terms.map(({ value }) => value)).toEqual([
      "10 to 10,000 USDT",
      "0.5%, but at least the network fee for the payout",
      "0.5 USDT or 0.0004 MOB",
      "3 for USDT, 1 for MOB",
      "60 seconds, or 30 minutes once locked",
    ]);
  });

  it("uses the visitor's number style", async () => {
    fakeRates();
    const { view } = await loader(args("/vegas", { headers: { "accept-language": "de-DE" } }));
    expect(view?.price?.mobUsdt).toBe("0,35013");
  });

  it.each([
    ["?range=7d", "7d"],
    ["", "24h"],
    ["?range=1y", "24h"],
    ["?range=toString", "24h"],
  ])("reads the range from %j and drops an invalid one", async (search, range) => {
    const { ranges } = fakeRates();
    expect((await loader(args(`/vegas${search}`))).range).toBe(range);
    expect(ranges).toEqual([range]);
  });

  it("shows that there is no price, and why swaps are paused", async () => {
    fakeRates({ rates: { rates: null, history: [] }, status: { accepting_swaps: false, reason: "rate_unknown" } });
    const { view } = await loader(args("/vegas"));
    expect(view).toMatchObject({
      price: null,
      chart: null,
      change: null,
      status: { open: false, label: "Paused: no reliable price right now" },
    });
  });

  it("shows a general text for an unknown reason", async () => {
    fakeRates({ status: { accepting_swaps: false, reason: "constructor" } });
    expect((await loader(args("/vegas"))).view?.status.label).toBe("No new swaps right now");
  });

  it("still renders if the exchange is unavailable", async () => {
    fakeExchange({
      "GET /api/rates": () => refusal(418, "x", "Starting."),
      "GET /api/status": () => Response.json(status),
    });
    expect(await loader(args("/vegas?range=1h"))).toEqual({ range: "1h", view: null });
  });
});

import { describe, expect, it } from "vitest";
import type { Rates } from "~/api/contract";
import { plainNumberStyle } from "~/lib/number-style";
import { toFeesView } from "~/routes/fees/fees-view";
import { loader } from "~/routes/fees/route";
import { makeRates } from "../../support/rates";
import { args, fakeExchange, refusal } from "../../support/site";

const rates = makeRates({
  updated_at: "2026-01-01T00:00:00.000Z",
  refund_cost: { USDT: "0.5", MOB: "0.0004" },
  history: [],
});
const view = (changes: Partial<Rates> = {}) => toFeesView({ ...rates, ...changes }, plainNumberStyle);

describe("the fees page", () => {
  it("shows what small and large swaps cost, and what percentage the minimum fee is", () => {
    expect(view().examples.slice(2, 5)).toEqual([
      { send: "2,500.00\u00a0USDT", fee: "12.50\u00a0USDT", percent: "0.5%", receive: "7,107.1428\u00a0MOB" },
      { send: "50.00\u00a0MOB", fee: "1.4286\u00a0MOB", percent: "2.9%", receive: "16.99\u00a0USDT" },
      { send: "700.00\u00a0MOB", fee: "3.50\u00a0MOB", percent: "0.5%", receive: "243.77\u00a0USDT" },
    ]);
  });

  it("leaves out examples outside the limits, and all examples without a rate", () => {
    expect(view({ limits: { min_usdt: "100", max_usdt: "1000" } }).examples.map(({ send }) => send)).toEqual([
      "250.00\u00a0USDT",
      "700.00\u00a0MOB",
    ]);
    expect(view({ rates: null }).examples).toEqual([]);
    expect(view({ rates: null }).limits).toHaveLength(2);
  });

  it("gives the limits in whole MOB that are within them", () => {
    expect(view().limits.at(-1)?.value).toBe("29 to 28,571 MOB");
  });

  it("shows what a refund costs, if anything", () => {
    expect(view().refundCosts).toBe("0.5\u00a0USDT or 0.0004\u00a0MOB");
    expect(view({ refund_cost: { USDT: "0", MOB: "0" } }).refundCosts).toBeNull();
  });

  it("shows the published rates in the visitor's number format", async () => {
    const requested: string[] = [];
    fakeExchange({
      "GET /api/rates": ({ url }) => {
        requested.push(new URL(url).search);
        return Response.json(rates);
      },
    });
    const { view: shown } = await loader(args("/fees", { headers: { "accept-language": "de" } }));
    expect(shown).toMatchObject({
      fee: "0,5%",
      payoutCosts: "0,0004\u00a0MOB or 0,5\u00a0USDT",
      refundCosts: "0,5\u00a0USDT or 0,0004\u00a0MOB",
    });
    expect(shown?.limits.at(-1)?.value).toBe("29 to 28.571 MOB");
    expect(requested).toEqual(["?range=1h"]);
  });

  it("doesn't show fees while the exchange does not respond", async () => {
    fakeExchange({ "GET /api/rates": () => refusal(503, "starting", "Starting.", { "Retry-After": "60" }) });
    expect(await loader(args("/fees"))).toEqual({ view: null });
  });
});

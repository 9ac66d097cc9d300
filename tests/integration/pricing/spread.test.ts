import { beforeAll, describe, expect, it } from "vitest";
import { scanChain } from "~/exchange.server/deposits/scan";
import { checkWallet } from "~/exchange.server/payments/check-wallet";
import { createQuote } from "~/exchange.server/pricing/quotes";
import { refreshRate } from "~/exchange.server/pricing/rates";
import { parseDecimal, RATE_DECIMALS } from "~/lib/money";
import { createTestExchange } from "../../support/exchange";
import { forAllTests } from "../../support/for-tests";

const low = 350_000_000_000n;
const high = 357_000_000_000n;

describe("T44 quotes from two feeds that are 2% apart", () => {
  const exchange = forAllTests(() =>
    createTestExchange({
      config: { rateCalmBps: 200 },
      context: { rateSource: { getRate: async () => ({ ...feed, at: new Date() }) } },
    }),
  );
  let accountId: string;
  let feed = { rate: low, low, high };
  beforeAll(async () => {
    for (const asset of ["USDT", "MOB"] as const) {
      await checkWallet(exchange.ctx, asset);
      await scanChain(exchange.ctx, asset);
    }
    await refreshRate(exchange.ctx);
    accountId = (await exchange.signUp()).user.id;
  });

  const quote = async (source: "USDT" | "MOB") => {
    const target = source === "USDT" ? "MOB" : "USDT";
    const request = { source_asset_symbol: source, target_asset_symbol: target, source_amount: "100" } as const;
    return createQuote(exchange.ctx, accountId, request);
  };

  it("sell MOB at the higher and buy it at the lower, and publish what they quote", async () => {
    const [buying, selling] = [await quote("USDT"), await quote("MOB")];
    expect(buying.rate).toBe(10n ** 24n / high);
    expect(selling.rate).toBe(low);
    const { body } = await exchange.api("GET", "/api/rates");
    expect(parseDecimal(body.rates.USDT_MOB, RATE_DECIMALS)).toBe(buying.rate);
    expect(parseDecimal(body.rates.MOB_USDT, RATE_DECIMALS)).toBe(selling.rate);
  });

  it("move further apart after the rate has jumped", async () => {
    const calm = await quote("USDT");
    feed = { rate: 390_000_000_000n, low: 390_000_000_000n, high: 390_000_000_000n };
    await refreshRate(exchange.ctx);
    const [buying, selling] = [await quote("USDT"), await quote("MOB")];
    expect(buying.rate).toBeLessThan(10n ** 24n / feed.high);
    expect(buying.rate).toBeLessThan(calm.rate);
    expect(selling.rate).toBeLessThan(feed.low);
  });
});

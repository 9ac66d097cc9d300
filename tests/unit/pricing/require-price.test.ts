import { describe, expect, it } from "vitest";
import { ExchangeError } from "~/exchange.server/errors";
import { requirePrice, requireWithinLimits } from "~/exchange.server/pricing/require-price";
import type { PriceTerms } from "~/lib/price";

const terms: PriceTerms = {
  feeBps: 50,
  minUsdt: 10_000_000n,
  maxUsdt: 10_000_000_000n,
  payoutCost: { USDT: 500_000n, MOB: 400_000_000n },
};
const usdt = { source: "USDT", target: "MOB", rate: 2_857_142_857_142n } as const;
const mob = { source: "MOB", target: "USDT", rate: 350_000_000_000n } as const;

describe("requirePrice", () => {
  it("refuses an amount that the fee uses up", () => {
    const message = "This amount doesn't cover the fee.";
    expect(() => requirePrice({ side: "source", amount: 1n }, mob, terms)).toThrow(
      new ExchangeError("amount_too_small", { message, fields: { source_amount: message } }),
    );
    expect(requirePrice({ side: "source", amount: 250_000_000n }, usdt, terms).feeAmount).toBe(1_250_000n);
  });
});

describe("requireWithinLimits", () => {
  it.each([
    ["source", 1n],
    ["target", 10n ** 12n],
  ] as const)("names the amount that was requested: the %s", (side, amount) => {
    const check = () => requireWithinLimits(amount, side, usdt, terms);
    expect(check).toThrow(
      expect.objectContaining({
        fields: { [`${side}_amount`]: expect.stringMatching(/^The m(in|ax)imum swap is worth/) },
      }),
    );
  });

  it("names the limit in the error", () => {
    expect(() => requireWithinLimits(9_999_999n, "source", usdt, terms)).toThrow("The minimum swap is worth 10 USDT");
    expect(() => requireWithinLimits(10_000_000n, "source", usdt, terms)).not.toThrow();
    expect(() => requireWithinLimits(10_000_000_000n, "source", usdt, terms)).not.toThrow();
    expect(() => requireWithinLimits(10_000_000_001n, "source", usdt, terms)).toThrow(
      "The maximum swap is worth 10,000 USDT",
    );
    expect(() => requireWithinLimits(28_000_000_000_000n, "source", mob, terms)).toThrow(
      "The minimum swap is worth 10 USDT",
    );
  });
});

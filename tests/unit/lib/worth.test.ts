import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Pair, parseAmount, parseDecimal, RATE_DECIMALS } from "~/lib/money";
import { plainNumberStyle } from "~/lib/number-style";
import { type Currency, toWorth } from "~/lib/worth";

const euros: Currency = { code: "EUR", name: "euros", perUsdt: "0.86", decimals: 2, prefix: "€", suffix: "" };
const yen: Currency = { code: "JPY", name: "Japanese yen", perUsdt: "152", decimals: 0, prefix: "¥", suffix: "" };
const german = { ...plainNumberStyle, decimal: ",", group: "." };

const rateOf = (text: string) => parseDecimal(text, RATE_DECIMALS);
const buysMob: Pair = { source: "USDT", target: "MOB", rate: rateOf("2.5") };
const sellsMob: Pair = { source: "MOB", target: "USDT", rate: rateOf("0.4") };

function worthOf(text: string, asset: "USDT" | "MOB", pair: Pair | null = null, currency = euros) {
  return toWorth({ amount: parseAmount(text, asset), asset, pair }, currency, plainNumberStyle);
}

describe("what an amount is worth", () => {
  it("is marked as approximate, and spelled out for screen readers", () => {
    expect(worthOf("121.162791", "USDT")).toEqual({ shown: "≈\u00a0€104.20", spoken: "about 104.20 euros" });
  });

  it("has thousands separators and the visitor's style", () => {
    const valued = { amount: parseAmount("10000", "USDT"), asset: "USDT", pair: null } as const;
    expect(toWorth(valued, { ...euros, prefix: "", suffix: "\u00a0€" }, german)).toEqual({
      shown: "≈\u00a08.600,00\u00a0€",
      spoken: "about 8.600,00 euros",
    });
  });

  it("is rounded half up to the decimals of the currency", () => {
    // 0.125 and 0.1249999… euros
    const eighth = { ...euros, perUsdt: "0.125" };
    expect(worthOf("1", "USDT", null, eighth)?.shown).toBe("≈\u00a0€0.13");
    expect(worthOf("0.999999", "USDT", null, eighth)?.shown).toBe("≈\u00a0€0.12");
    expect(worthOf("0.5", "USDT", null, yen)).toEqual({ shown: "≈\u00a0¥76", spoken: "about 76 Japanese yen" });
    expect(worthOf("0.01", "USDT", null, yen)?.shown).toBe("≈\u00a0¥2");
  });

  it("is less than the smallest coin if it would round to nothing", () => {
    expect(worthOf("0.000001", "USDT")).toEqual({ shown: "<\u00a0€0.01", spoken: "less than 0.01 euros" });
    expect(worthOf("0.000000000001", "MOB", sellsMob, yen)?.shown).toBe("<\u00a0¥1");
  });

  it("counts MOB at the rate of the swap, in both directions", () => {
    expect(worthOf("250", "MOB", buysMob)?.shown).toBe("≈\u00a0€86.00");
    expect(worthOf("250", "MOB", sellsMob)?.shown).toBe("≈\u00a0€86.00");
  });

  it("is null for an amount of zero, and for MOB without a rate", () => {
    expect(worthOf("0", "USDT")).toBeNull();
    expect(worthOf("250", "MOB")).toBeNull();
  });

  it("is within half a cent of the exact value, whatever the amount and rate", () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 16n), fc.bigInt(1n, 10n ** 16n), (amount, rate) => {
        const perUsdt = `${rate / 10n ** 12n}.${(rate % 10n ** 12n).toString().padStart(12, "0")}`;
        const worth = toWorth({ amount, asset: "USDT", pair: null }, { ...euros, perUsdt }, plainNumberStyle);
        const cents = BigInt((worth?.shown ?? "").replace(/[^0-9]/g, ""));
        const exact = amount * rate * 100n;
        const scale = 10n ** 18n;
        if (worth?.shown.startsWith("<")) expect(exact * 2n < scale).toBe(true);
        else expect(exact * 2n - cents * scale * 2n).toSatisfy((off: bigint) => off >= -scale && off < scale);
      }),
    );
  });
});

import { describe, expect, it } from "vitest";
import { readCalculatedPath, readCalculatorForm, toCalculatedPath } from "~/lib/calculation";
import { plainNumberStyle, toNumberStyle } from "~/lib/number-style";

const german = toNumberStyle("de");

describe("the calculator's amount on the way through signing in", () => {
  it("becomes the path of the filled-in swap form, and back", () => {
    const path = toCalculatedPath({ source: "USDT", text: "1.250,5" }, german);
    expect(path).toBe("/swap/usdt-to-mob?amount=1250.5");
    expect(readCalculatedPath(path, german)).toEqual({ source: "USDT", text: "1.250,5" });
    expect(readCalculatedPath("/swap/mob-to-usdt?amount=40", plainNumberStyle)).toEqual({ source: "MOB", text: "40" });
    expect(toCalculatedPath({ source: "MOB", text: "ten" }, german)).toBe("/swap/mob-to-usdt?amount=ten");
  });

  it("starts with an example for /swap, and does not show a calculator for other pages", () => {
    for (const path of [null, "/swap"]) expect(readCalculatedPath(path, german)?.text).toBe("250");
    for (const path of ["/doger", "/kyc", "/swap/quote/1", "/swap/usdt-to-mob?amount=1&side=target"])
      expect(readCalculatedPath(path, german)).toBeNull();
  });

  it("reads only its own form", () => {
    expect(readCalculatorForm(new URLSearchParams("source=MOB&amount=40"))).toEqual({ source: "MOB", text: "40" });
    for (const search of ["", "source=BTC&amount=1", "amount=1", "source=MOB"])
      expect(readCalculatorForm(new URLSearchParams(search))).toBeNull();
  });
});

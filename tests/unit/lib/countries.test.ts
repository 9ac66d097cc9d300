import { expect, it } from "vitest";
import { isCountryCode, listCountries } from "~/lib/countries";

it("lists countries by their English names", () => {
  const english = listCountries();
  expect(english).toHaveLength(250);
  expect(english[0]).toEqual({ value: "AF", label: "Afghanistan" });
  expect(english.findIndex(({ value }) => value === "AX")).toBeGreaterThan(
    english.findIndex(({ value }) => value === "AF"),
  );
});

it("accepts the codes of countries in capital letters, and nothing else", () => {
  expect(["GB", "XK", "gb", "EU", "ZZ", ""].map(isCountryCode)).toEqual([true, true, false, false, false, false]);
});

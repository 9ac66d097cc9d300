import { expect, it } from "vitest";
import { isCountryCode, listCountries } from "~/lib/countries";

it("lists countries by their name in the visitor's language, in English by default", () => {
  const english = listCountries();
  expect(english).toHaveLength(250);
  expect(english[0]).toEqual({ value: "AF", label: "Afghanistan" });
  expect(english.findIndex(({ value }) => value === "AX")).toBeGreaterThan(
    english.findIndex(({ value }) => value === "AF"),
  );
  const german = listCountries("de");
  expect(german.find(({ value }) => value === "DE")).toEqual({ value: "DE", label: "Deutschland" });
  expect(german.map(({ label }) => label)).toEqual(
    german.map(({ label }) => label).sort((a, b) => a.localeCompare(b, "de")),
  );
});

it("accepts the codes of countries in capital letters, and nothing else", () => {
  expect(["GB", "XK", "gb", "EU", "ZZ", ""].map(isCountryCode)).toEqual([true, true, false, false, false, false]);
});

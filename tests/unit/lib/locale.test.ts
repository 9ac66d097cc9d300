import { describe, expect, it } from "vitest";
import { toClockText, toDurationWords } from "~/lib/durations";
import { readLocale } from "~/lib/locale";
import { toRoughAmount, toRoughRate } from "~/lib/shown-amount";

const read = (language: string, cookie = "") => readLocale(new Headers({ "accept-language": language, cookie }));

describe("how a visitor writes numbers and times", () => {
  it.each([
    ["de-CH,de;q=0.9,en;q=0.8", "de-CH"],
    ["en;q=0.4, fr;q=0.9", "fr"],
    ["*", "en"],
    ["", "en"],
    ["xx-nonsense-at-all-and-more, sv", "sv"],
    ["de;q=0, it", "it"],
    [`${"a".repeat(10_000)},de`, "en"],
  ])("reads Accept-Language %j as %s", (header, tag) => expect(read(header).tag).toBe(tag));

  it("takes the time zone from its cookie and nothing that is none", () => {
    expect(read("en", "tz=Europe/Stockholm").timeZone).toBe("Europe/Stockholm");
    expect(read("en", "a=b; tz=America%2FNew_York").timeZone).toBe("America/New_York");
    expect(read("en", "tz=Nowhere/Land").timeZone).toBeNull();
    expect(read("en", "tz=<script>").timeZone).toBeNull();
    expect(read("en", "tz=%E0%A4").timeZone).toBeNull();
  });

  it("says durations in the unit that says most, and never a negative one", () => {
    expect([1_000, 42_000, 99_000, 100_000, 1_800_000, 7_200_000, 72 * 3_600_000].map(toDurationWords)).toEqual([
      "1 second",
      "42 seconds",
      "99 seconds",
      "2 minutes",
      "30 minutes",
      "2 hours",
      "3 days",
    ]);
    expect([42_000, 1_471_000, 3_605_000, -5].map(toClockText)).toEqual(["0:42", "24:31", "1:00:05", "0:00"]);
  });

  it("cuts what is only about right, downwards, and never to nothing", () => {
    expect(toRoughAmount(708_285_912_345_678n, "MOB")).toBe("708.2859");
    expect(toRoughAmount(1_259_999n, "USDT")).toBe("1.25");
    expect(toRoughAmount(5n, "USDT")).toBe("0.000005");
    expect(["2.847400123456", "0.350000000000", "0.000012345678", "1", "123456.789"].map(toRoughRate)).toEqual([
      "2.8474",
      "0.35000",
      "0.000012345",
      "1.0000",
      "123456.78",
    ]);
  });
});

import { describe, expect, it, vi } from "vitest";
import { plainLocale } from "~/lib/locale";
import { readLocale } from "~/lib/read-locale.server";

const read = (language: string, cookie = "") => readLocale(new Headers({ "accept-language": language, cookie }));

describe("readLocale", () => {
  it.each([
    ["de-CH,de;q=0.9,en;q=0.8", "de-CH"],
    ["en;q=0.4, fr;q=0.9", "fr"],
    ["*", "en"],
    ["", "en"],
    ["xx-nonsense-at-all-and-more, sv", "sv"],
    ["de;q=0, it", "it"],
    ["de;q=high, it;q=0.1", "it"],
    ["de;level=1;q=0.8, fr;q=0.5", "de"],
    ["de;q=0", "en"],
    ["de;q=0.5,fr;q=0.5", "de"],
    [" fr ; q=0.5 , de ; q=0.6 ", "de"],
    ["tlh, sv", "sv"],
    [", ,;q=1,*;q=1,nl;q=0.1", "nl"],
    [`${"a".repeat(197)},de`, "de"],
    [`${"a".repeat(198)},de`, "en"],
    [`${"xx-xx-,".repeat(9)}it`, "it"],
    [`${"xx-xx-,".repeat(10)}it`, "en"],
    [`${"a".repeat(10_000)},de`, "en"],
  ])("reads Accept-Language %j as %s", (header, tag) => expect(read(header).tag).toBe(tag));

  it("T17 tries at most ten languages, however long the header is", () => {
    const ask = vi.spyOn(Intl.NumberFormat, "supportedLocalesOf");
    expect(read("a,".repeat(8_000)).tag).toBe("en");
    expect(ask.mock.calls.length).toBeLessThanOrEqual(10);
    ask.mockRestore();
  });

  it("reads a valid time zone from its cookie", () => {
    expect(read("en", "tz=Europe/Stockholm").timeZone).toBe("Europe/Stockholm");
    expect(read("en", "a=b; tz=America%2FNew_York").timeZone).toBe("America/New_York");
    expect(read("en", "tz=Nowhere/Land").timeZone).toBeNull();
    expect(read("en", "tz=<script>").timeZone).toBeNull();
    expect(read("en", "tz=%E0%A4").timeZone).toBeNull();
    expect(read("en", "a=b;tz=Asia/Tokyo;c=d").timeZone).toBe("Asia/Tokyo");
    expect(read("en", "tz=Europe/Paris x").timeZone).toBeNull();
    expect(read("en", "xtz=Europe/Paris").timeZone).toBeNull();
    expect(read("en", "a=tz=Europe/Paris").timeZone).toBeNull();
    expect(read("en", "tz=").timeZone).toBeNull();
    expect(read("en", "tz=Etc/GMT%2B5").timeZone).toBe("Etc/GMT+5");
  });

  it("is English in UTC without headers", () => {
    expect(readLocale(new Headers())).toEqual(plainLocale);
  });
});

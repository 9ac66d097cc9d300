import { describe, expect, it, vi } from "vitest";
import { readLocale } from "~/lib/locale";

const read = (language: string, cookie = "") => readLocale(new Headers({ "accept-language": language, cookie }));

describe("readLocale", () => {
  it.each([
    ["de-CH,de;q=0.9,en;q=0.8", "de-CH"],
    ["en;q=0.4, fr;q=0.9", "fr"],
    ["*", "en"],
    ["", "en"],
    ["xx-nonsense-at-all-and-more, sv", "sv"],
    ["de;q=0, it", "it"],
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
  });
});

import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toSafeRedirect } from "~/lib/safe-redirect";

const origin = "https://antelope.example";

const hostile = [
  "//evil.example",
  "///evil.example",
  "////evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "\\/evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "/\r/evil.example",
  "/\t\\evil.example",
  "/ /evil.example",
  " //evil.example",
  "\t//evil.example",
  "/.//evil.example",
  "/..//evil.example",
  "/a/..//evil.example",
  "/%2e//evil.example",
  "/%2e%2e//evil.example",
  "/%2E%2E//evil.example",
  "/./..//evil.example",
  "/a/../..//evil.example",
  "/a/%2e%2e//evil.example",
  "https://evil.example",
  "http://evil.example",
  "HTTPS://evil.example",
  "https:evil.example",
  "https:/evil.example",
  "//evil.example/..",
  "//evil.example%2f..",
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "data:text/html,x",
  "vbscript:x",
  "mailto:a@b",
  "blob:x",
  "evil.example",
  "evil.example/path",
  "./x",
  "../x",
  "?x",
  "#x",
  "",
  "@evil.example",
  "/\u0000/evil.example",
  "/a\u0000",
  "/a\u001f",
  "/a\u007f",
  "/a b",
  "/%00",
  "/%0a",
  "/%0d%0aSet-Cookie:x",
  "/%20",
  "/a%09b",
  "/%5cevil.example",
  "/%5Cevil.example",
  "/%7f",
  "/a?b=%0d%0aX:y",
  "/..\\evil.example",
  "/a\\..\\..\\evil",
  "//",
  "/\\",
  "/\\\\",
  "///",
  "//\\",
  "/?\\",
  "/#\\",
  "//google.com/%2f..",
  "//user:pass@evil.example",
  "/.\\/evil",
  "/%1f",
  "/%1F/x",
  "//[::1]/",
  "//0x7f.1",
  "//evil。example",
  "/\\evil。example",
];

const valid = [
  "/",
  "/swap",
  "/swap/usdt-to-mob?x=1",
  "/kyc?redirect=%2Fswap",
  "/swap/quote/123?expires_at=2026-01-01T00%3A00%3A00.000Z",
  "/a/../b",
  "/swap#top",
  "/ünïcode",
  "/swap?note=a+b",
  "/?a=//b",
  "/#//b",
  "/a//b",
];

describe("T1 toSafeRedirect", () => {
  it.each(hostile)("refuses %j", (value) => {
    expect(toSafeRedirect(value)).toBeNull();
  });

  it.each(valid)("accepts %j", (value) => {
    expect(toSafeRedirect(value)).not.toBeNull();
  });

  it("V01 refuses anything but a string", () => {
    for (const value of [null, undefined, 1, {}, ["/swap"]]) expect(toSafeRedirect(value)).toBeNull();
  });

  it("refuses more than 2048 characters", () => {
    expect(toSafeRedirect(`/${"a".repeat(2_047)}`)).toHaveLength(2_048);
    expect(toSafeRedirect(`/${"a".repeat(2_048)}`)).toBeNull();
  });

  it("never returns a path that a browser would resolve to another host (random combinations of hostile parts)", () => {
    const piece = fc.constantFrom(
      "/",
      "\\",
      ".",
      "..",
      "%2e",
      "%2f",
      "%5c",
      "%09",
      "\t",
      "\n",
      "\r",
      " ",
      "@",
      ":",
      "?",
      "#",
      "evil.example",
      "a",
      "//",
      "http",
      "\u0000",
      "é",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const result = toSafeRedirect(`/${pieces.join("")}`);
        if (result === null) return;
        const url = new URL(result, origin);
        // `assert`, because a call of `expect` takes longer than the function under test.
        assert.equal(url.origin, origin);
        // Parsed twice, as by a proxy and a browser.
        assert.equal(new URL(url.pathname, origin).origin, origin);
        assert.equal(toSafeRedirect(result), result);
      }),
      { numRuns: 300_000 },
    );
  });
});

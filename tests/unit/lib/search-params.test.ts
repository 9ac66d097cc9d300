import { describe, expect, it } from "vitest";
import { parseAddressType, parseMessage, parseRedirect } from "~/lib/search-params";

const params = (text: string) => new URLSearchParams(text);

describe("search params", () => {
  it("V01 R13 accepts only a path of this site as redirect", () => {
    expect(parseRedirect(params("redirect=%2Fswap"))).toBe("/swap");
    expect(parseRedirect(params("redirect=//evil.example"))).toBeNull();
    expect(parseRedirect(params("redirect=/a&redirect=/b"))).toBeNull();
    expect(parseRedirect(params(""))).toBeNull();
  });

  it.each([
    ["/doger/data.zip"],
    ["/DOGER/Data.ZIP"],
    ["/doger/data.zip/"],
    ["/doger/data%2Ezip"],
    ["/doger/data.zip.data?_routes=x"],
    ["/doger/export.csv?state=completed"],
    ["/doger/./data.zip#x"],
  ])("T72 does not redirect to a file: %s", (path) => {
    expect(parseRedirect(new URLSearchParams({ redirect: path }))).toBeNull();
  });

  it("V01 redirects to a page whatever its query", () => {
    const path = "/swap/mob-to-usdt?amount=1.5#a.b";
    expect(parseRedirect(new URLSearchParams({ redirect: path }))).toBe(path);
  });

  it("V02 R15 accepts only true and false as message", () => {
    expect(parseMessage(params("message=true"))).toBe(true);
    expect(parseMessage(params("message=false"))).toBe(false);
    for (const text of ["message=1", "message=TRUE", "message=", "message=true&message=true", ""]) {
      expect(parseMessage(params(text))).toBeNull();
    }
  });

  it("V03 R10 R11 K02 accepts only MOB and ETH as addressType", () => {
    expect(parseAddressType(params("addressType=MOB"))).toBe("MOB");
    expect(parseAddressType(params("addressType=ETH"))).toBe("ETH");
    for (const value of ["mob", "BTC", "", "MOB "]) expect(parseAddressType(params(`addressType=${value}`))).toBeNull();
  });
});

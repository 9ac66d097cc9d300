import { describe, expect, it } from "vitest";
import { ResponseCookies } from "~/session/response-cookies.server";

describe("the cookies of a request's responses", () => {
  it("are in every response, whether it was created before or after", () => {
    const cookies = new ResponseCookies();
    const [early, late] = [new Headers(), new Headers()];
    cookies.writeTo(early);
    cookies.set("a=1; Path=/");
    cookies.writeTo(late);
    cookies.set("b=2; Path=/");
    for (const headers of [early, late]) expect(headers.getSetCookie()).toEqual(["a=1; Path=/", "b=2; Path=/"]);
  });

  it("replace only those with the same name", () => {
    const cookies = new ResponseCookies();
    const headers = new Headers([
      ["Set-Cookie", "theme=dark"],
      ["Set-Cookie", "a=0"],
    ]);
    cookies.writeTo(headers);
    cookies.set("a=1");
    cookies.set("a=2");
    expect(headers.getSetCookie()).toEqual(["theme=dark", "a=2"]);
  });

  it("T10 make a response private, which stays as it is without any", () => {
    const cookies = new ResponseCookies();
    const headers = new Headers({ "Cache-Control": "no-cache", "Set-Cookie": "theme=dark" });
    cookies.writeTo(headers);
    expect([cookies.isEmpty, headers.get("cache-control")]).toEqual([true, "no-cache"]);
    cookies.set("a=1");
    expect([cookies.isEmpty, headers.get("cache-control")]).toEqual([false, "private, no-store"]);
  });
});

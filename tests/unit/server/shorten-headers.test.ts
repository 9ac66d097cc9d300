import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shortenHeaders } from "~/server/shorten-headers.server";
import { sendRaw } from "../../support/raw-http";
import { fakeExchange, makeUser, sessionCookie } from "../../support/site";
import { startSiteServer } from "../../support/site-server";

const ownCookies = new Set(["session", "theme"]);
const junk = "a=b; ".repeat(3_000);

function shorten(...rawHeaders: string[]) {
  const incoming = new IncomingMessage(new Socket());
  incoming.rawHeaders = rawHeaders;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name = "", value = ""] = [rawHeaders[i]?.toLowerCase(), rawHeaders[i + 1]];
    const separator = name === "cookie" ? "; " : ", ";
    const before = incoming.headers[name];
    incoming.headers[name] = before === undefined ? value : `${String(before)}${separator}${value}`;
  }
  shortenHeaders(incoming, ownCookies);
  return incoming;
}

describe("shortenHeaders", () => {
  it("T17 cuts headers to 1,000 characters, however they are read", () => {
    const { headers, rawHeaders } = shorten("Referer", "a".repeat(15_000), "Accept", "text/html");
    expect(headers).toEqual({ referer: "a".repeat(1_000), accept: "text/html" });
    expect(rawHeaders).toEqual(["Referer", "a".repeat(1_000), "Accept", "text/html"]);
  });

  it("T17 keeps the site's own cookies of a long header, the first of each name", () => {
    const cookie = `${junk}session=x.y=; ${junk}theme=dark; session=z`;
    const { headers, rawHeaders } = shorten("Cookie", cookie);
    expect(headers.cookie).toBe("session=x.y=; theme=dark");
    expect(rawHeaders[1]).toBe("session=x.y=; theme=dark");
  });

  it("T17 shortens a long header beside a short one of the same name", () => {
    const { headers, rawHeaders } = shorten("Cookie", "theme=dark", "cookie", `${junk}session=x`);
    expect(headers.cookie).toBe("theme=dark; session=x");
    expect(rawHeaders).toEqual(["Cookie", "theme=dark", "cookie", "session=x"]);
  });

  it("T17 drops a cookie that browsers would not keep", () => {
    expect(shorten("Cookie", `session=${"x".repeat(5_000)}; theme=dark`).headers.cookie).toBe("theme=dark");
  });

  it("leaves shorter headers as they are", () => {
    const cookie = "other=1; session=x; session=y";
    expect(shorten("Cookie", cookie).headers.cookie).toBe(cookie);
  });
});

describe("long headers", () => {
  let site: Awaited<ReturnType<typeof startSiteServer>>;

  beforeAll(async () => {
    site = await startSiteServer();
    // On a busy machine, loading the site takes more than the usual ten seconds.
  }, 60_000);
  afterAll(() => site.stop());

  const get = (path: string, headers: string) =>
    sendRaw(site.port, `GET ${path} HTTP/1.1\r\nHost: localhost:3000\r\n${headers}\r\nConnection: close\r\n\r\n`);

  it("T17 are cut before the exchange reads them", async () => {
    const agents: (string | null)[] = [];
    fakeExchange({
      "GET /api/users/me": ({ headers }) => {
        agents.push(headers.get("user-agent"));
        return Response.json(makeUser());
      },
    });
    expect(await get("/api/users/me", `User-Agent: ${"a".repeat(10_000)}`)).toMatch(/^HTTP\/1.1 200 /);
    expect(agents).toEqual(["a".repeat(1_000)]);
  });

  it("T17 are passed on uncut or refused if they contain a token", async () => {
    const exchange = fakeExchange({ "GET /api/users/me": () => Response.json(makeUser()) });
    const longest = "a".repeat(1_400);
    expect(await get("/api/users/me", `X-Auth-Token: ${longest}`)).toMatch(/^HTTP\/1.1 200 /);
    expect(await get("/api/users/me", `X-Auth-Token: ${longest}a`)).toMatch(/^HTTP\/1.1 431 /);
    expect(exchange.calls).toEqual([{ call: "GET /api/users/me", token: longest, body: null }]);
  });

  it("T17 do not sign out a visitor with many cookies of other sites", async () => {
    const exchange = fakeExchange({ "GET /api/users/me": () => Response.json(makeUser()) });
    await get("/login", `Cookie: ${junk}${await sessionCookie()}`);
    expect(exchange.calls[0]).toMatchObject({ call: "GET /api/users/me", token: "access-1" });
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { handleDataRequest } from "~/entry.server";
import { action, loader } from "~/routes/auth/login/route";
import { loader as loadRates } from "~/routes/vegas/route";
import { loader as loadStep } from "~/routes/welcome/step/route";
import { sendRaw } from "../../support/raw-http";
import {
  args,
  fakeExchange,
  makeUser,
  readSession,
  refusal,
  responseOf,
  sessionCookie,
  withoutRetryWaits,
} from "../../support/site";
import { startSiteServer } from "../../support/site-server";
import { rates } from "../routes/swap/fixtures";

type Args = ReturnType<typeof args>;

/** The Cache-Control of the response after `call`, a loader or an action, has run. */
async function cacheControlOf(given: Args, call: (given: Args) => Promise<unknown>): Promise<string | null> {
  await call(given).catch(() => null);
  const response = await handleDataRequest(new Response(), given);
  return response.headers.get("Cache-Control");
}

async function pendingCode(): Promise<string> {
  fakeExchange({ "POST /api/auth": () => Response.json({ challenge_id: "c1", challenge: "email" }, { status: 202 }) });
  const form = { intent: "send-code", identifier: "ada@example.org" };
  const response = await responseOf(action(args("/login", { form })));
  return response.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
}

describe("pages for one visitor", () => {
  it("T10 must not be stored while /login shows the address that a code was sent to", async () => {
    const cookie = await pendingCode();
    fakeExchange({});
    const given = args("/login", { cookie });
    expect(await loader(given)).toMatchObject({ screen: { kind: "code", sentTo: "ada@example.org" } });
    expect(await cacheControlOf(given, loader)).toBe("private, no-store");
    const prefetch = args("/login", { cookie, headers: { "Sec-Purpose": "prefetch" } });
    expect(await cacheControlOf(prefetch, loader)).toBe("private, no-store");
  });

  it("T10 must not be stored with a session, nor after a post", async () => {
    fakeExchange({
      "GET /api/users/me": () => Response.json(makeUser({ passkey_authenticated: false })),
      "POST /api/auth": () => refusal(422, "invalid", "Not an address."),
    });
    const cookie = await sessionCookie({ passkey: false });
    expect(await cacheControlOf(args("/login", { cookie }), loader)).toBe("private, no-store");
    const form = { intent: "send-code", identifier: "not an address" };
    expect(await action(args("/login", { form }))).toMatchObject({ values: { identifier: "not an address" } });
    expect(await cacheControlOf(args("/login", { form }), action)).toBe("private, no-store");
  });

  it("T10 may be stored, but must be revalidated, if they are the same for everyone", async () => {
    fakeExchange({ "GET /api/rates": () => Response.json(rates) });
    expect(await cacheControlOf(args("/login"), loader)).toBe("no-cache");
  });

  it("name everything that they may vary by", async () => {
    const { headers } = await handleDataRequest(new Response(), args("/login"));
    expect(headers.get("Vary")).toBe("Cookie, Accept-Language");
  });

  it("T68 must not be stored while what everyone else sees is missing", async () => {
    const refuse = () => refusal(429, "rate_limited", "Too many requests.", { "Retry-After": "60" });
    fakeExchange({ "GET /api/rates": refuse, "GET /api/status": refuse });
    expect(await cacheControlOf(args("/login"), loader)).toBe("private, no-store");
    expect(await cacheControlOf(args("/vegas"), loadRates)).toBe("private, no-store");
    const step = { ...args("/welcome/7"), params: { step: "7" } };
    expect(await cacheControlOf(step, loadStep)).toBe("private, no-store");
  });
});

let site: Awaited<ReturnType<typeof startSiteServer>>;
beforeAll(async () => {
  site = await startSiteServer();
}, 60_000);
afterAll(() => site.stop());

describe("a page or a stream when the exchange's limit is reached", () => {
  const refuse = () => refusal(429, "rate_limited", "Too many requests.", { "Retry-After": "70" });
  const get = async (path: string, cookie = "") =>
    sendRaw(
      site.port,
      `GET ${path} HTTP/1.1\r\nHost: localhost:3000\r\nAccept: text/html\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`,
    );

  it("T68 does not log an error for a page that may not be kept, and that the client does not read", async () => {
    fakeExchange({ "GET /api/rates": refuse, "GET /api/status": refuse });
    expect(await get("/login")).toMatch(/^HTTP\/1\.1 200/);
    // The next request's line comes after an error of this one.
    expect(await get("/nope")).toMatch(/^HTTP\/1\.1 404/);
    await expect.poll(() => site.lines.join("\n")).toContain('"path":"/nope"');
    expect(site.lines.filter((line) => line.includes("A page request failed"))).toEqual([]);
  });

  it("says when to try again", async () => {
    fakeExchange({ "GET /api/users/me": () => Response.json(makeUser()), "GET /api/swap/swaps/o1/events": refuse });
    const response = await get("/swap/orders/o1/events", await sessionCookie());
    expect(response).toMatch(/^HTTP\/1\.1 429/);
    expect(response).toMatch(/^retry-after: 70\r$/im);
  });
});

describe("a file that could not be loaded", () => {
  /** The response to a request whose access token has expired, if the order then gives `order`. */
  const download = async (order: () => Response, accept: string) => {
    fakeExchange({
      "GET /api/users/me": ({ headers }) =>
        headers.get("X-Auth-Token") === "access-1"
          ? refusal(401, "unauthorized", "Expired.")
          : Response.json(makeUser()),
      "POST /api/auth/refresh": () => Response.json({ access_token: "access-2", refresh_token: "refresh-2" }),
      "GET /api/swap/swaps/o1": order,
    });
    const head = [
      "GET /swap/orders/o1/receipt HTTP/1.1",
      "Host: localhost:3000",
      `Accept: ${accept}`,
      `Cookie: ${await sessionCookie()}`,
      "Connection: close",
    ];
    const response = await withoutRetryWaits(() => sendRaw(site.port, `${head.join("\r\n")}\r\n\r\n`));
    const [, status] = /^HTTP\/1\.1 (\d+)/.exec(response) ?? [];
    const [, cookie = ""] = /^set-cookie: (session=.*)\r$/im.exec(response) ?? [];
    return { status: Number(status), session: await readSession(new Headers({ "Set-Cookie": cookie })), response };
  };

  it.each([
    [503, () => refusal(503, "unavailable", "Try again."), "Something went wrong!"],
    [404, () => refusal(404, "not_found", "No such order."), "Not Found"],
    [429, () => refusal(429, "rate_limited", "Too many requests.", { "Retry-After": "70" }), "Something went wrong!"],
    [500, () => refusal(500, "internal", "Broken."), "Something went wrong!"],
    [503, () => Response.json({}), "Something went wrong!"],
  ])("S05 T21 is a page, and keeps the renewed session: %d", async (status, order, title) => {
    const page = await download(order, "text/html,*/*;q=0.8");
    expect([page.status, page.session]).toMatchObject([status, { access: "access-2", refresh: "refresh-2" }]);
    expect(page.response).toContain(`<title>${title} · Antelope</title>`.replace("·", "Â·"));
    expect(page.response).toMatch(/^cache-control: private, no-store\r$/im);
    expect(/^retry-after: (.*)\r$/im.exec(page.response)?.[1]).toBe(status === 429 ? "70" : undefined);
    const plain = await download(order, "*/*");
    expect([plain.status, plain.session]).toMatchObject([status, { refresh: "refresh-2" }]);
    expect(plain.response).not.toMatch(/<!doctype html>|{"message"/);
    expect(plain.response).toMatch(/^content-type: text\/plain(;|\r$)/im);
    const reasons: Record<number, string> = { 404: "This file doesn't exist yet", 500: "We couldn't load this." };
    expect(plain.response).toContain(reasons[status] ?? "Any coins you have sent are safe");
  });
});

import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { hashInlineScripts } from "~/server/hash-inline-scripts.server";
import { inlineStyles } from "~/server/inline-styles.server";
import { createPublicPages } from "~/server/public-pages.server";
import { deferred } from "../../support/deferred";
import { until } from "../../support/until";

type PageResponse = { status: number | undefined; headers: IncomingHttpHeaders; body: Buffer };

const publicHeaders = { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-cache" };
/** Style sheets by path. */
const styles: Record<string, string> = { "/assets/a.css": "p{color:red}", "/assets/b.css": "p>b{color:blue}" };
/** With each of these, a page has a variant of its own. */
const regions = ["AD", "AE", "AG", "AI", "AT", "AU", "BB", "BE", "BI", "BM", "BS", "BW", "BZ", "CA", "CC", "CH"];
const html = `<p>${"public ".repeat(500)}</p>`;

describe("public pages", () => {
  let server: Server;
  let received = 0;
  let rendered: Request[] = [];
  let passedOn = 0;
  let render: (request: Request, visit: { remoteAddress: string }) => Promise<Response>;
  let now = 0;

  beforeEach(async () => {
    received = 0;
    rendered = [];
    passedOn = 0;
    now = 1_000;
    vi.spyOn(performance, "now").mockImplementation(() => now);
    render = async () => new Response(html, { headers: publicHeaders });
    const serve = createPublicPages({
      origin: "http://localhost:3000",
      secure: false,
      readText: (path) => styles[path],
      render: async (page, visit) => {
        rendered.push(page);
        return render(page, visit);
      },
    });
    server = createServer((incoming, outgoing) => {
      const remoteAddress = String(incoming.headers["x-network"] ?? "192.0.2.1");
      received++;
      serve(incoming, outgoing, { remoteAddress, requestId: "r1" }, () => {
        passedOn++;
        outgoing.writeHead(200).end("from Remix");
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    server.close();
  });

  function get(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<PageResponse> {
    const { port } = server.address() as AddressInfo;
    return new Promise((resolve, reject) => {
      const options = { port, host: "127.0.0.1", path, headers: { Host: "localhost:3000", ...headers }, method };
      const sent = request({ ...options, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
        );
      });
      sent.on("error", reject).end();
    });
  }

  it("renders a page once for all requests of a second, and again after it", async () => {
    const responses = await Promise.all(Array.from({ length: 5 }, () => get("/login")));
    for (const { body } of responses) expect(body.toString()).toBe(html);
    await get("/login", { Cookie: "hasVisited=true", "Accept-Language": "en;q=0.5" });
    await get("/login", { Cookie: "device=x; challenge-autofill=x; hasVisited=true" });
    expect([rendered.length, passedOn]).toEqual([1, 0]);
    now += 1_001;
    await get("/login");
    expect(rendered.length).toBe(2);
  });

  it("T17 sends the cached page for requests with long headers, too", async () => {
    const long = { "Accept-Language": "a,".repeat(5_000), Cookie: `theme=light${"; theme=light".repeat(400)}` };
    for (let visit = 0; visit < 3; visit++) expect((await get("/login", long)).body.toString()).toBe(html);
    expect(rendered[0]?.headers.get("cookie")).toContain("theme=light");
    expect([rendered.length, passedOn]).toEqual([1, 0]);
  });

  it("responds with 304 as long as the page is the same, in every encoding", async () => {
    const { headers } = await get("/login");
    const conditional = { "If-None-Match": String(headers.etag), "Accept-Encoding": "br" };
    now += 1_001;
    const unchanged = await get("/login", conditional);
    expect([unchanged.status, unchanged.headers.etag, unchanged.body.length]).toEqual([304, headers.etag, 0]);
    expect(unchanged.headers.vary).toBe("Cookie, Accept-Language, Accept-Encoding, Prefer");
    render = async () => new Response("changed", { headers: publicHeaders });
    now += 1_001;
    expect((await get("/login", conditional)).status).toBe(200);
  });

  it("sends the encoding that the client prefers, and compresses better what it sends often", async () => {
    const text = readFileSync("package.json", "utf8");
    render = async () => new Response(text, { headers: publicHeaders });
    const getBrotli = () => get("/login", { "Accept-Encoding": "gzip, br" });
    const first = await getBrotli();
    const isSmaller = async () => (await getBrotli()).body.length < first.body.length;
    await vi.waitUntil(isSmaller, { timeout: 20_000, interval: 1 });
    for (const { headers, body } of [first, await getBrotli()]) {
      expect([headers["content-encoding"], brotliDecompressSync(body).toString()]).toEqual(["br", text]);
    }
    expect(gunzipSync((await get("/login", { "Accept-Encoding": "gzip" })).body).toString()).toBe(text);
    const head = await get("/login", {}, "HEAD");
    expect([head.body.length, head.headers["content-length"]]).toEqual([0, String(text.length)]);
  }, 30_000);

  it("T68 renders only from the path, the language, the theme, the time zone and the currency", async () => {
    await get("/vegas?range=7d", {
      Cookie: 'theme=dark; tz=Europe/Zurich; hasVisited=canary; theme="canary"; currency=CHF',
      "Accept-Language": "de-CH-u-nu-thai;q=0.1, de-ch, canary;q=0.9",
      "X-Forwarded-Host": "canary.example",
      "X-Forwarded-For": "canary",
      "User-Agent": "canary Googlebot",
      Referer: "https://canary.example",
      Origin: "https://canary.example",
      "X-Auth-Token": "canary",
      Authorization: "canary",
      "X-Remix-Canary": "canary",
      Range: "bytes=0-1",
    });
    expect(rendered.map(({ url }) => url)).toEqual(["http://localhost:3000/vegas?range=7d"]);
    expect(Object.fromEntries(rendered[0]?.headers ?? [])).toEqual({
      "accept-language": "de-CH",
      cookie: "hasVisited=true; theme=dark; tz=Europe%2FZurich; currency=CHF",
    });
    await get("/login", { Cookie: "currency=canary" });
    expect(rendered[1]?.headers.get("cookie")).toBe("hasVisited=true; theme=auto");
  });

  it.each([
    ["another host", "/login", { Host: "127.0.0.1:3000" }],
    ["a session", "/login", { Cookie: "session=x" }],
    ["a session of a secure site", "/login", { Cookie: "theme=dark; __Host-session=x" }],
    ["a pending code", "/login", { Cookie: "challenge-email=x" }],
    ["an expired session", "/login", { Cookie: "expired=true" }],
    ["a cookie that we don't know", "/login", { Cookie: "other=1" }],
    ["a cookie without a name", "/login", { Cookie: "theme=dark; session" }],
    ["an unknown query", "/login?utm_source=x", {}],
    ["an empty query", "/login?", {}],
    ["the page to return to", "/login?redirect=%2Fkyc", {}],
    ["an unknown range", "/vegas?range=2h", {}],
    ["two ranges", "/vegas?range=1h&range=7d", {}],
    ["another spelling of the path", "/%6cogin", {}],
    ["a trailing slash", "/login/", {}],
    ["data", "/login.data", {}],
    ["another page", "/swap", {}],
    ["a step that doesn't exist", "/welcome/10", {}],
    ["a language with an extension", "/login", { "Accept-Language": "en-x-canary" }],
  ])("T68 leaves requests with %s to Remix", async (_name, path, headers) => {
    expect((await get(path, headers)).body.toString()).toBe("from Remix");
    expect([rendered.length, passedOn]).toEqual([0, 1]);
  });

  it("T68 leaves posts to Remix", async () => {
    await get("/login", {}, "POST");
    expect([rendered.length, passedOn]).toEqual([0, 1]);
  });

  it.each<[string, () => Promise<Response>]>([
    ["sets a cookie", async () => new Response(html, { headers: { ...publicHeaders, "Set-Cookie": "a=b" } })],
    [
      "is private",
      async () => new Response(html, { headers: { ...publicHeaders, "Cache-Control": "private, no-store" } }),
    ],
    ["has no Cache-Control", async () => new Response(html, { headers: { "Content-Type": "text/html" } })],
    ["is an error", async () => new Response(html, { headers: publicHeaders, status: 500 })],
    ["is a redirect", async () => new Response(null, { headers: { ...publicHeaders, Location: "/x" }, status: 302 })],
    [
      "is no document",
      async () => new Response("{}", { headers: { ...publicHeaders, "Content-Type": "application/json" } }),
    ],
    ["fails", () => Promise.reject(new Error("no page"))],
  ])("T68 does not keep a response that %s", async (_name, given) => {
    render = given;
    expect((await get("/register")).body.toString()).toBe("from Remix");
    expect((await get("/register")).body.toString()).toBe("from Remix");
    expect([rendered.length, passedOn]).toEqual([2, 2]);
  });

  it("T14 leaves a request to Remix if the page that it waits for is not ready within ten seconds", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const started = deferred();
    render = () => {
      started.resolve();
      return new Promise(() => undefined);
    };
    const waiting = get("/vegas");
    await started.promise;
    await vi.advanceTimersByTimeAsync(9_999);
    expect(passedOn).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect((await waiting).body.toString()).toBe("from Remix");
    render = async () => new Response(html, { headers: publicHeaders });
    expect((await get("/vegas")).body.toString()).toBe(html);
    vi.useRealTimers();
  });

  it("T14 does not wait for a page of another network that waits for its turn", async () => {
    const burst = deferred();
    render = async (_request, { remoteAddress }) => {
      if (remoteAddress === "192.0.2.1") await burst.promise;
      return new Response(html, { headers: publicHeaders });
    };
    const responses = regions.map((region) => get("/login", { "Accept-Language": `en-${region}` }));
    await until("the pages of the burst are being rendered", () => rendered.length === 16);
    responses.push(get("/login"), get("/login"));
    await until("all its requests have arrived", () => received === 18);
    expect((await get("/login", { "X-Network": "192.0.2.2" })).body.toString()).toBe(html);
    expect([rendered.length, passedOn]).toEqual([17, 0]);
    burst.resolve();
    for (const { body } of await Promise.all(responses)) expect(body.toString()).toBe(html);
    expect([rendered.length, passedOn]).toEqual([17, 0]);
  });

  it("T10 R03 sets the cookie of a first visit to a welcome page in a response that is not cached for others", async () => {
    const first = await get("/welcome/1");
    expect(first.headers["set-cookie"]).toEqual(["hasVisited=true; Max-Age=31536000; Path=/; SameSite=Lax"]);
    expect([first.headers["cache-control"], first.headers.etag]).toEqual(["private, no-store", undefined]);
    const later = await get("/welcome/1", { Cookie: "hasVisited=true" });
    expect([later.headers["set-cookie"], later.headers["cache-control"]]).toEqual([undefined, "no-cache"]);
    const again = await get("/welcome/1", { "If-None-Match": String(later.headers.etag) });
    expect([again.status, again.body.toString(), again.headers["set-cookie"]?.length]).toEqual([200, html, 1]);
    expect((await get("/login")).headers["set-cookie"]).toBeUndefined();
    expect(rendered.length).toBe(2);
  });

  it("has its styles inside, unless the client has them already", async () => {
    const page = '<head><link rel="stylesheet" href="/assets/a.css"/></head>';
    render = async () => new Response(page, { headers: publicHeaders });
    const whole = await get("/vegas");
    const minimal = await get("/vegas", { Prefer: "return=minimal" });
    expect(whole.body.toString()).toContain(">p{color:red}</style>");
    expect([minimal.body.toString(), minimal.headers.etag === whole.headers.etag]).toEqual([page, false]);
    expect((await get("/vegas")).body).toEqual(whole.body);
    expect(rendered.length).toBe(2);
  });

  it("T68 keeps at most 32 MB of pages", async () => {
    const large = "a".repeat(400 * 1024);
    render = async () => new Response(large, { headers: publicHeaders });
    const visit = async () => {
      for (const region of regions)
        for (const path of ["/login", "/register", "/vegas", "/vegas?range=1h", "/vegas?range=7d", "/vegas?range=30d"])
          await get(path, { "Accept-Language": `en-${region}` });
    };
    await visit();
    expect(rendered.length).toBe(96);
    await get("/vegas?range=30d", { "Accept-Language": "en-CH" });
    expect(rendered.length).toBe(96);
    await get("/login", { "Accept-Language": "en-AD" });
    expect(rendered.length).toBe(97);
  });
});

describe("hashInlineScripts", () => {
  const policy = "script-src 'self' 'nonce-n1'; trusted-types default";

  it("T9 names only the scripts that have the nonce", () => {
    const page = '<script>evil()</script><script nonce="n1">a</script><script nonce="n1" src="/b.js"></script>';
    expect(hashInlineScripts({ html: page, policy })).toEqual({
      html: '<script>evil()</script><script>a</script><script src="/b.js"></script>',
      policy: "script-src 'self' 'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs='; trusted-types default",
    });
  });

  it("T9 refuses a page that has the nonce elsewhere", () => {
    expect(hashInlineScripts({ html: '<script nonce="n1">a</script><p>n1</p>', policy })).toBeNull();
  });

  it("leaves a page without a nonce as it is", () => {
    const page = { html: "<script>a</script>", policy: "script-src 'self'" };
    expect(hashInlineScripts(page)).toEqual(page);
  });
});

describe("inlineStyles", () => {
  const policy = "style-src 'self'; img-src 'self'";
  const link = (path: string) => `<link rel="stylesheet" href="${path}"/>`;
  const inline = (html: string) => inlineStyles({ html, policy }, (path) => styles[path]);

  it("T9 puts the style sheets into the head, names them by their hash and disables the links", () => {
    const page = `<head>${link("/assets/a.css")}<link rel="icon" href="/i.svg"/>${link("/assets/b.css")}</head>$&`;
    expect(inline(page)).toEqual({
      html:
        '<head><link rel="stylesheet" href="/assets/a.css" disabled=""/><link rel="icon" href="/i.svg"/>' +
        '<link rel="stylesheet" href="/assets/b.css" disabled=""/>' +
        '<style data-inline="">p{color:red}\np>b{color:blue}</style></head>$&',
      policy: "style-src 'sha256-2+Cbfcq7sosb5Dur5/agTjC26Jz6Wi8uTs7j4Oa09UU=' 'self'; img-src 'self'",
    });
  });

  it("puts them before a link preview, which React expects at the end of the head", () => {
    const preview = '<meta property="og:type" content="website"/></head>';
    expect(inline(`<head>${link("/assets/a.css")}${preview}`).html).toBe(
      `<head><link rel="stylesheet" href="/assets/a.css" disabled=""/><style data-inline="">p{color:red}</style>${preview}`,
    );
  });

  it.each([
    ["without a style sheet", "<head></head>"],
    ["with one that cannot be read", `<head>${link("/assets/a.css")}${link("/assets/c.css")}</head>`],
  ])("leaves a page %s as it is", (_name, html) => {
    expect(inline(html)).toEqual({ html, policy });
  });

  it("T9 leaves a page as it is if its styles could end their element", () => {
    const page = { html: `<head>${link("/assets/a.css")}</head>`, policy };
    expect(inlineStyles(page, () => "</style><script>evil()</script>")).toEqual(page);
  });
});

import { createHash } from "node:crypto";
import { type IncomingHttpHeaders, request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildWhenStale } from "~/commands/build-when-stale.js";
import { createBenchAccount } from "../../bench/account";
import { startTarget, type Target } from "../../fuzz/target";
import { createDataDirectory } from "../../support/data-directory";

type PageResponse = { status: number; headers: IncomingHttpHeaders; html: string };

const canary = "canary-7f3a";
const email = "canary-7f3a@example.org";
const paths = [
  ...["/login", "/register", "/vegas", "/vegas?range=1h", "/welcome/1", "/welcome/7", "/welcome/9"],
  ...["/welcome/what-is-signal", "/welcome/enable-signal"],
];

describe("the pages that are the same for every signed-out visitor", () => {
  let site: Target;
  /** Cookies of visitors whose pages are their own. */
  const own: Record<string, string> = {};

  beforeAll(async () => {
    buildWhenStale();
    site = await startTarget(await createDataDirectory("public"));
    own.session = (await createBenchAccount(site.origin, email)).cookie;
    const sent = await fetch(`${site.origin}/login`, {
      method: "POST",
      redirect: "manual",
      headers: { Origin: site.origin },
      body: new URLSearchParams({ intent: "send-code", identifier: `code-${email}` }),
    });
    own.code = sent.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
    own.expired = "expired=true";
  }, 200_000);
  afterAll(() => site.stop(), 30_000);

  const get = (path: string, headers: Record<string, string | string[]> = {}, method = "GET"): Promise<PageResponse> =>
    new Promise((resolve, reject) => {
      const sent = request({ port: site.port, path, headers, method, agent: false }, (response) => {
        let html = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (html += chunk));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, html }));
      });
      sent.on("error", reject).end();
    });

  /** What every visitor gets; prices and times differ. */
  function expectPublic({ status, headers, html }: PageResponse): void {
    expect([status, headers["cache-control"], headers["set-cookie"]]).toEqual([200, "no-cache", undefined]);
    expect(headers.etag).toMatch(/^W\/"/);
    expect(headers.vary).toBe("Cookie, Accept-Language, Accept-Encoding, Prefer");
    const everything = JSON.stringify(headers) + html;
    expect(everything).not.toContain(canary);
    expect(everything).not.toContain("evil.example");
    expect(everything).not.toContain("nonce");
  }

  it.each(paths)(
    "T68 T10 shows nothing about anyone else on %s, whatever others have sent",
    async (path) => {
      const separator = path.includes("?") ? "&" : "?";
      const sent: [string, Record<string, string | string[]>][] = [
        [path, { "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https", Forwarded: "host=evil.example" }],
        [path, { "X-Forwarded-For": canary, "X-Original-URL": `/${canary}`, "X-Rewrite-URL": `/${canary}` }],
        [path, { "User-Agent": canary, Referer: `https://evil.example/${canary}`, Origin: "https://evil.example" }],
        [path, { "X-Auth-Token": canary, Authorization: `Bearer ${canary}`, Range: "bytes=0-9" }],
        [path, { "Accept-Language": `en-x-${canary}, de-u-nu-thai` }],
        [path, { Cookie: `theme=${canary}; tz=${canary}` }],
        [path, { Cookie: [`theme=dark`, `${canary}=${canary}`] }],
        [path, { Cookie: `session=${canary}; challenge-email=${canary}; expired=true` }],
        ...Object.values(own).map((cookie): [string, { Cookie: string }] => [path, { Cookie: cookie }]),
        [`${path}${separator}utm_source=${canary}`, {}],
        [`${path}${separator}redirect=/swap?${canary}&message=true`, {}],
        [`${path}${separator}range=30d&_routes=${canary}`, {}],
      ];
      const visited = { Cookie: "hasVisited=true" };
      expectPublic(await get(path, visited));
      for (const [target, headers] of sent) await get(target, headers);
      expectPublic(await get(path, visited));
      for (const [target, headers] of sent) await get(target, headers, "HEAD");
      expectPublic(await get(path, visited));
    },
    60_000,
  );

  it.each([...paths, "/help", "/help/exchange", "/fees", "/contact", "/status", "/legal/privacy"])(
    "have a preview for links to %s, with the site's own address",
    async (path) => {
      const { html } = await get(path, { Cookie: "hasVisited=true", "X-Forwarded-Host": "evil.example" });
      const title = /<title>([^<]+)</.exec(html)?.[1];
      const description = /<meta name="description" content="([^"]+)"/.exec(html)?.[1];
      expect(readPreview(html)).toMatchObject({
        title,
        description,
        image: `${site.origin}/share.png`,
        type: "website",
      });
      expect(html).toContain('<meta name="twitter:card" content="summary_large_image"/>');
      expect((await get("/share.png")).status).toBe(200);
    },
  );

  it.each(["/swap", "/swap/usdt-to-mob", "/swap/quote/1", "/doger", "/kyc", `/track/${"x".repeat(43)}`, "/nothing"])(
    "are the only pages with a preview: %s has none",
    async (path) => {
      const { html } = await get(path, { Cookie: own.session ?? "" });
      expect(html).toContain("<title>");
      expect(readPreview(html)).toEqual({});
    },
  );

  it("T68 serves only its own hosts", async () => {
    expectPublic(await get("/login"));
    expect((await get("/login", { Host: "evil.example" })).status).toBe(421);
  });

  it("T68 T10 gives visitors with a session, a pending code or an expired session their own page", async () => {
    const getLogin = async (cookie?: string) => {
      const { headers } = await get("/login");
      return get("/login", { Cookie: cookie ?? "", "If-None-Match": String(headers.etag) });
    };
    // The price on the page may change between the two requests.
    await expect.poll(async () => (await getLogin("hasVisited=true")).status).toBe(304);
    const signedIn = await getLogin(own.session);
    expect([signedIn.status, signedIn.headers.location]).toEqual([302, "/swap"]);
    const pending = await getLogin(own.code);
    expect([pending.status, pending.html.includes(`code-${email}`)]).toEqual([200, true]);
    const expired = await getLogin(own.expired);
    expect([expired.status, expired.html.includes("You were signed out")]).toEqual([200, true]);
    for (const page of [signedIn, pending, expired]) {
      expect([page.headers["cache-control"], page.headers.etag]).toEqual(["private, no-store", undefined]);
    }
  });

  it("shows each visitor their own theme, number format and time zone", async () => {
    const show = async (path: string, headers: Record<string, string>) => (await get(path, headers)).html;
    for (const _again of [1, 2]) {
      expect(await show("/login", {})).not.toMatch(/<html[^>]* data-theme/);
      expect(await show("/login", { Cookie: "theme=dark" })).toContain('data-theme="dark"');
      expect(await show("/login", { Cookie: "theme=light" })).toContain('data-theme="light"');
      expect(await show("/welcome/7", { "Accept-Language": "de" })).toContain("0,5%");
      expect(await show("/welcome/7", { "Accept-Language": "en" })).toContain("0.5%");
      expect(await show("/vegas", {})).toContain("UTC</time>");
      expect(await show("/vegas", { Cookie: "tz=Asia/Tokyo" })).not.toContain("UTC</time>");
    }
  });

  it.each([
    ["/login", { scripts: true }],
    ["/register", { scripts: true }],
    ["/welcome/1", { scripts: false }],
    ["/vegas", { scripts: false }],
  ])("T9 allows inline content on %s by its hash, and nothing else", async (path, { scripts }) => {
    const { headers, html } = await get(path);
    const policy = String(headers["content-security-policy"]);
    expect(policy).not.toMatch(/nonce|unsafe/);
    const inline = { script: /<script(?![^>]* src=)[^>]*>(.*?)<\/script>/gs, style: /<style[^>]*>(.*?)<\/style>/gs };
    for (const [name, element] of Object.entries(inline)) {
      const texts = [...html.matchAll(element)].map(([, text = ""]) => text);
      const hashes = texts.map((text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
      const [allowed = ""] = new RegExp(`${name}-src [^;]+`).exec(policy) ?? [];
      expect(new Set(allowed.match(/'sha256-[^']+'/g))).toEqual(new Set(hashes));
      expect(hashes.length > 0).toBe(name === "style" || scripts);
    }
  });

  it("R03 sets the cookie of a first visit to a welcome page for that visitor alone", async () => {
    await get("/welcome/1", { Cookie: "hasVisited=true" });
    const first = await get("/welcome/1");
    expect(first.headers["set-cookie"]?.join()).toMatch(/^hasVisited=true;/);
    expect([first.headers["cache-control"], first.headers.etag]).toEqual(["private, no-store", undefined]);
    expectPublic(await get("/welcome/1", { Cookie: "hasVisited=true" }));
  });
});

/** The Open Graph properties in a document. */
function readPreview(html: string): Record<string, string> {
  const tags = html.matchAll(/<meta property="og:([a-z_]+)" content="([^"]*)"/g);
  return Object.fromEntries([...tags].map(([, name, content]) => [name, content]));
}

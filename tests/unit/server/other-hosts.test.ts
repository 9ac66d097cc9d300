import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sendRaw } from "../../support/raw-http";
import { fakeExchange } from "../../support/site";
import { startSiteServer } from "../../support/site-server";
import { rates } from "../routes/swap/fixtures";

const html = "Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\n";

describe("a host that is not ORIGIN's", () => {
  let site: Awaited<ReturnType<typeof startSiteServer>>;
  beforeAll(async () => {
    site = await startSiteServer({
      serveStatic: (incoming, outgoing) => {
        if (incoming.url !== "/assets/a.js") return false;
        outgoing.end("a file");
        return true;
      },
    });
  }, 60_000);
  afterAll(() => site.stop());
  // Without responses, every page would try again for two seconds.
  beforeEach(() => {
    fakeExchange({
      "GET /api/rates": () => Response.json(rates),
      "GET /api/status": () => Response.json({ accepting_swaps: true, reason: null }),
    });
  });

  const request = async (target: string, { host = "127.0.0.1:3000", method = "GET", accept = html } = {}) => {
    const head = `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\n${accept}Connection: close\r\n\r\n`;
    const response = await sendRaw(site.port, head);
    const [, status] = /^HTTP\/1\.1 (\d+)/.exec(response) ?? [];
    return { status: Number(status), location: /^location: (.*)\r$/im.exec(response)?.[1], response };
  };

  it.each([
    ["/login", "/login"],
    ["/nope?a=1&b=%2F", "/nope?a=1&b=%2F"],
    ["//evil.example/login?x", "//evil.example/login?x"],
    ["/@evil.example", "/@evil.example"],
    ["http://127.0.0.1:3000/login", "/login"],
  ])("T7 redirects a browser that opens a page to ORIGIN: %s", async (target, path) => {
    for (const method of ["GET", "HEAD"]) {
      const { status, location, response } = await request(target, { method });
      expect([status, location]).toEqual([302, `http://localhost:3000${path}`]);
      expect(response).toMatch(/^cache-control: no-store\r$/im);
      expect(response).toMatch(/^content-security-policy: /im);
    }
  });

  it("serves pages at ORIGIN, written in any case", async () => {
    for (const host of ["localhost:3000", "LOCALHOST:3000"]) {
      expect((await request("/login", { host })).status).toBe(200);
    }
  });

  it.each([
    ["the API", "/api/nope", html],
    ["calls of the sandbox", "/sandbox/nope", html],
    ["files", "/assets/a.js", html],
    ["data of pages", "/login.data", "Accept: */*\r\n"],
    ["health checks of pages", "/login", ""],
  ])("serves %s", async (_name, target, accept) => {
    const other = await request(target, { accept });
    expect(other.status).toBe((await request(target, { accept, host: "localhost:3000" })).status);
    expect([other.status, other.location]).not.toContain(302);
  });

  it("refuses posts", async () => {
    const { status, response } = await request("/login", { method: "POST" });
    expect(status).toBe(403);
    expect(response).toMatch(/<title>This request was refused .* Antelope<\/title>.*<a href="\/swap">/s);
    const plain = await request("/login", { method: "POST", accept: "" });
    expect(plain.response).toMatch(/\r\n\r\nThis request didn't come from this site\.$/);
  });

  it("T7 is refused unless it is allowed; a sandbox says which settings decide", async () => {
    const { status, response } = await request("/login", { host: "localhost:8080" });
    expect(status).toBe(421);
    expect(response).toMatch(/ORIGIN.*ALLOWED_HOSTS/);
  });
});

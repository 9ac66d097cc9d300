import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chooseEncoding } from "~/server/choose-encoding.server";
import { toSecurityHeaders } from "~/server/security-headers.server";
import { createStaticFiles } from "~/server/static-files.server";

describe("chooseEncoding", () => {
  const both = ["br", "gzip"] as const;

  it.each([
    [undefined, "identity"],
    ["", "identity"],
    ["gzip, deflate, br, zstd", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["br;q=0.5, gzip;q=0.8", "gzip"],
    ["BR", "br"],
    ["*", "br"],
    ["identity, br;q=0, gzip;q=0", "identity"],
    ["identity;q=0", "identity"],
    [";;;,,,=q", "identity"],
  ])("responds to %o with %s", (header, chosen) => {
    expect(chooseEncoding(header, both)).toBe(chosen);
  });

  it("T17 ignores a header that is longer than any browser sends", () => {
    expect(chooseEncoding(`br,${"a,".repeat(8_000)}`, both)).toBe("identity");
  });

  it("chooses only what is available", () => {
    expect(chooseEncoding("br, gzip", ["gzip", "identity"])).toBe("gzip");
    expect(chooseEncoding("br, gzip", ["identity"])).toBe("identity");
  });
});

describe("static files", () => {
  let server: Server;
  let files: ReturnType<typeof createStaticFiles>;
  let origin = "";
  const directory = mkdtempSync(join(tmpdir(), "antelope-static-"));

  beforeAll(async () => {
    mkdirSync(join(directory, "assets"));
    writeFileSync(join(directory, "assets/a-1.js"), "plain");
    writeFileSync(join(directory, "assets/a-1.js.br"), "brotli");
    writeFileSync(join(directory, "robots.txt"), "text");
    writeFileSync(join(directory, "icon-192.png"), "picture");
    writeFileSync(join(directory, "gone.json.br"), "brotli");
    files = createStaticFiles(directory, toSecurityHeaders({ secure: false, walletRpcOrigins: [] }));
    server = createServer((incoming, outgoing) => {
      if (!files.serve(incoming, outgoing)) outgoing.writeHead(404).end("no file");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
    rmSync(directory, { recursive: true });
  });

  const get = (path: string, headers: HeadersInit = {}) => fetch(origin + path, { headers });

  it.each(["identity", "br"])(
    "T14 responds with 404 for a file that exists only in compressed form, requested as %s",
    async (encoding) => {
      const response = await get("/gone.json", { "Accept-Encoding": encoding });
      expect([response.status, await response.text()]).toEqual([404, "no file"]);
    },
  );

  it("reads only the text of files", () => {
    expect(["/assets/a-1.js", "/robots.txt"].map(files.readText)).toEqual(["plain", "text"]);
    expect(["/assets/none.js", "/gone.json", "/assets", "/../package.json", ""].map(files.readText)).toEqual(
      Array(5).fill(undefined),
    );
  });

  it("sends type, length, cache lifetime and the given headers", async () => {
    const { headers } = await get("/robots.txt");
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "content-length": "4",
      "cache-control": "public, max-age=3600",
      "x-content-type-options": "nosniff",
      vary: "Accept-Encoding",
    });
    expect((await get("/assets/a-1.js")).headers.get("cache-control")).toContain("immutable");
  });

  it("lets only the site's icon be shown by other sites, such as a wallet that shows who wants to connect", async () => {
    const readPolicy = async (path: string, headers?: HeadersInit) =>
      (await get(path, headers)).headers.get("cross-origin-resource-policy");
    expect(await readPolicy("/icon-192.png")).toBe("cross-origin");
    expect(await readPolicy("/icon-192.png", { "If-None-Match": "*" })).toBe("cross-origin");
    expect(await readPolicy("/robots.txt")).toBe("same-origin");
  });

  it("sends 304 with the caching headers if any of the listed ETags matches", async () => {
    const etag = (await get("/robots.txt")).headers.get("etag") ?? "";
    for (const list of [etag, `"x" ,  ${etag}`, `W/${etag}`, "*"]) {
      const response = await get("/robots.txt", { "If-None-Match": list });
      expect([list, response.status, response.headers.get("etag")]).toEqual([list, 304, etag]);
      expect(response.headers.get("cache-control")).toBe("public, max-age=3600");
    }
    expect((await get("/robots.txt", { "If-None-Match": '"x"' })).status).toBe(200);
  });

  it("serves only files, by their exact path", async () => {
    for (const path of ["/", "/assets", "/assets/", "/assets/a-1.js.br", "/robots", "/assets/%61-1.js", "/nothing"]) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
    expect((await fetch(`${origin}/robots.txt`, { method: "POST" })).status).toBe(404);
  });

  it.each([
    ["spaces", " ".repeat(15_000)],
    ["an encoding followed by spaces", `br${" ".repeat(15_000)}x`],
    ["commas", ",".repeat(15_000)],
    ["parameters", `br${";".repeat(15_000)}`],
    ["many encodings", "a,".repeat(7_500)],
    ["an open quote", `br;q="${"\\".repeat(15_000)}`],
  ])("T14 T17 reads a hostile 15 kB header in linear time: %s", (_name, header) => {
    // A backtracking parser takes 0.5 s or more for some of them. The best of five runs ignores a busy machine.
    const times = Array.from({ length: 5 }, () => {
      const startedAt = performance.now();
      chooseEncoding(header, ["br", "gzip"]);
      return performance.now() - startedAt;
    });
    expect(Math.min(...times)).toBeLessThan(20);
  });

  it("T14 T17 reads a hostile If-None-Match in linear time", async () => {
    const headers = { "If-None-Match": `x${" ".repeat(15_000)}x`, "Cache-Control": "max-age=0" };
    const times: number[] = [];
    for (let run = 0; run < 5; run += 1) {
      const startedAt = performance.now();
      expect((await get("/robots.txt", headers)).status).toBe(200);
      times.push(performance.now() - startedAt);
    }
    expect(Math.min(...times)).toBeLessThan(100);
  });
});

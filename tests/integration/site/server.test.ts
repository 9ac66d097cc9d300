import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseConfig } from "~/config/config.server";
import { createSiteCookies } from "~/session/cookies.server";
import { TestAuthenticator } from "../../support/authenticator";
import { createDataDirectory } from "../../support/data-directory";
import { application } from "../../support/exchange";
import { freePort, sendRaw } from "../../support/raw-http";
import { hasEnded, stopProcess } from "../../support/stop-process";
import { until } from "../../support/until";

/** The built site, started like `npm start`, which builds it if the sources changed. */
let port = 0;
let server: ChildProcess;
let output = "";
const secret = "kR7v0yQ2mZ9xT4wB6nL1pD8sF3hJ5gC_";
let dataDir = "";
const directories: string[] = [];

const createEmptyDirectory = (name: string) => remember(mkdtempSync(join(tmpdir(), `antelope-${name}-`)));

/** Deletes a directory after the tests. */
function remember(directory: string): string {
  directories.push(directory);
  return directory;
}

/** If PGlite only starts, optimising its WebAssembly takes longer than the start. */
const unoptimized = "--liftoff-only";

/** The processes that all tests have started, so that none of them keeps running after a test has failed. */
const children: ChildProcess[] = [];

function run(args: string[], env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, NODE_ENV: "production", DATA_DIR: dataDir, LOG_LEVEL: "info", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  return child;
}

/** Adds the output of the site to the error after a timeout. */
const withOutput = (what: string) => () => `${what}: ${output.slice(-2_000)}`;

/** Waits until a site is ready. `read` returns what it has written. */
async function untilReady(child: ChildProcess, read: () => string): Promise<void> {
  const isReady = () => {
    if (hasEnded(child)) throw new Error(`The site has ended: ${read()}`);
    return read().includes("Antelope is ready at");
  };
  await until(() => `the start: ${read().slice(-2_000)}`, isReady, { timeoutMs: 150_000 });
}

/** Resolves once the process has ended, with its exit code, or with null if a signal has ended it. */
const ended = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => {
    if (hasEnded(child)) resolve(child.exitCode);
    else child.once("exit", resolve);
  });

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Whether the sandbox's Ethereum node of a data directory runs. */
function isAnvilRunning(directory: string): boolean {
  const file = join(directory, "ethereum/anvil.json");
  if (!existsSync(file)) return false;
  return isRunning((JSON.parse(readFileSync(file, "utf8")) as { pid: number }).pid);
}

beforeAll(async () => {
  port = await freePort();
  dataDir = remember(await createDataDirectory("server"));
  server = run(["app/commands/start.js"], { PORT: String(port) });
  for (const stream of [server.stdout, server.stderr])
    stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await untilReady(server, () => output);
}, 160_000);

afterAll(async () => {
  await Promise.all(children.map(stopProcess));
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
}, 60_000);

const get = (path: string, headers: HeadersInit = {}) =>
  fetch(`http://localhost:${port}${path}`, { headers, redirect: "manual" });

const pathsOfEveryKind = [
  "/login",
  "/register",
  "/kyc",
  "/",
  "/nope",
  "/login.data",
  "/api/status",
  "/api/nope",
  "/sandbox/inbox?to=x",
  "/favicon.svg",
  "/__manifest",
  "/login?_data=root",
];

describe("the production server", () => {
  it.each([
    ["DELETE", "/api/swap/delivery-addresses/x", 401],
    ["POST", "/api/auth/logout", 401],
    ["POST", "/api/swap/swaps/x/cancel", 401],
    ["OPTIONS", "/api/status", 405],
    ["POST", "/sandbox/nothing", 404],
    ["POST", "/sandbox/inbox", 405],
  ])("responds to %s %s without a body over a socket", async (method, path, status) => {
    const response = await fetch(`http://localhost:${port}${path}`, { method });
    expect([method, path, response.status]).toEqual([method, path, status]);
    expect((await response.json()).detail.message).not.toBe("");
  });

  it("reads a chunked body", async () => {
    const body = new Blob([JSON.stringify({ auth_method: "passkey" })]).stream();
    const headers = { "Content-Type": "application/json" };
    const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
    const response = await fetch(`http://localhost:${port}/api/auth`, init);
    expect([response.status, (await response.json()).challenge_id]).toEqual([202, expect.any(String)]);
  });

  it("T2 lets scripts call the sandbox's chain, but not pages of other sites", async () => {
    const call = (headers: Record<string, string>) =>
      fetch(`http://localhost:${port}/sandbox/ethereum`, {
        method: "POST",
        headers: { "Content-Type": "text/plain", ...headers },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] }),
      });
    expect((await call({})).status).toBe(200);
    expect((await call({ Origin: "https://evil.example" })).status).toBe(403);
    expect((await call({ "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
    expect((await get("/sandbox/inbox?to=%00")).status).toBe(400);
  });

  it.each(pathsOfEveryKind)("T8 T9 sends the security headers with %s", async (path) => {
    const { headers } = await get(path);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).toMatch(
      /'nonce-|'sha256-/.test(policy) ? /trusted-types default(;|$)/ : /trusted-types 'none'(;|$)/,
    );
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("same-origin");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("cache-control")).toBeTruthy();
  });

  it("T9 gives each document that is rendered for one request its own nonce, which all its scripts have", async () => {
    const nonces = new Set<string>();
    for (let i = 0; i < 3; i++) {
      const response = await get("/nope");
      const nonce = /'nonce-([^']+)'/.exec(response.headers.get("content-security-policy") ?? "")?.[1] ?? "";
      nonces.add(nonce);
      const html = await response.text();
      const scripts = html.match(/<script[^>]*>/g) ?? [];
      expect(scripts.length).toBeGreaterThan(1);
      for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`);
      expect(html).not.toMatch(/\sstyle="/);
    }
    expect(nonces.size).toBe(3);
  });

  it.each(["/welcome/1", "/vegas", "/offline"])("T9 does not allow inline scripts on %s", async (path) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-security-policy")).toContain("script-src 'self';");
    const html = await response.text();
    const scripts = html.match(/<script[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) expect(script).toContain(" src=");
    expect(html).not.toMatch(/\sstyle="/);
  });

  it.each(["identity", "br"])(
    "T14 does not serve the build's manifest, which is not meant for browsers, as %s",
    async (encoding) => {
      const response = await get("/.vite/manifest.json", { "Accept-Encoding": encoding });
      expect(response.status).toBe(404);
    },
  );

  it("R17 shows a 404 page in the layout for an unknown URL", async () => {
    const response = await get("/nope/there");
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("404");
  });

  it.each([
    ["POST", "/", "GET, HEAD", "html"],
    ["POST", "/vegas", "GET, HEAD", "html"],
    ["POST", "/swap", "GET, HEAD", "html"],
    ["POST", "/welcome", "GET, HEAD", "html"],
    ["POST", "/welcome/1", "GET, HEAD", "html"],
    ["POST", "/nope", "GET, HEAD", "html"],
    ["PUT", "/login", "GET, HEAD, POST", "html"],
    ["DELETE", "/doger", "GET, HEAD, POST", "html"],
    ["PATCH", "/swap/quote/1", "GET, HEAD, POST", "html"],
    ["OPTIONS", "/login", "GET, HEAD, POST", "html"],
    ["PROPFIND", "/vegas", "GET, HEAD", "html"],
    ["PUT", "/logout", "GET, HEAD, POST", "plain"],
    ["POST", "/doger/export.csv", "GET, HEAD", "plain"],
    ["POST", "/vegas.data", "GET, HEAD", "x-script"],
  ])("T21 refuses %s %s with 405, the allowed methods, and our own message", async (method, path, allow, type) => {
    const origin = `http://localhost:${port}`;
    const response = await fetch(origin + path, { method, headers: { origin }, redirect: "manual" });
    expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
    expect(response.headers.get("content-type")).toContain(type);
    const text = await response.text();
    expect(text).toContain("This action is not supported here");
    expect(text).not.toMatch(/did not provide|Invalid request method|Unexpected Server Error/);
  });

  it("T7 serves only its own hosts, and ignores X-Forwarded-Host", async () => {
    const requestAs = (host: string, more = "") =>
      sendRaw(port, `GET /api/status HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`);
    expect(await requestAs("evil.example")).toMatch(/^HTTP\/1\.1 421/);
    expect(await requestAs(`localhost:${port + 1}`)).toMatch(/^HTTP\/1\.1 421/);
    expect(await requestAs(`localhost:${port}`, `Host: evil.example\r\n`)).toMatch(/^HTTP\/1\.1 400/);
    expect(await requestAs(`localhost:${port}`, "X-Forwarded-Host: evil.example\r\n")).toMatch(/^HTTP\/1\.1 200/);
    const absolute = (target: string) =>
      sendRaw(port, `GET ${target} HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`);
    expect(await absolute(`http://localhost:${port}/api/status`)).toMatch(/^HTTP\/1\.1 200/);
    expect(await absolute("http://evil.example/api/status")).toMatch(/^HTTP\/1\.1 421/);
    const swap = await sendRaw(
      port,
      `GET /kyc HTTP/1.1\r\nHost: localhost:${port}\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https\r\nConnection: close\r\n\r\n`,
    );
    expect(swap).toMatch(/location: \/login\?redirect=%2Fkyc&message=true\r\n/i);
    expect(swap).not.toContain("evil.example");
  });

  it("T15 T2 never serves /__manifest or ?_data=", async () => {
    expect((await get(`/__manifest?p=${"/a".repeat(500)}`)).status).toBe(404);
    expect((await get("/login?_data=routes/auth/login/route")).status).toBe(410);
    expect((await get("/login?%5fdata=root")).status).toBe(410);
    expect((await get("/login?x=?&_data=root")).status).toBe(410);
  });

  it("T2 refuses posts from other sites, and accepts API calls from anywhere", async () => {
    const post = (path: string, headers: HeadersInit) =>
      fetch(`http://localhost:${port}${path}`, {
        method: "POST",
        headers,
        body: new URLSearchParams({ intent: "other-address" }),
        redirect: "manual",
      });
    for (const path of ["/login", "/login.data", "/logout", "/kyc"]) {
      expect((await post(path, { origin: "http://evil.example" })).status).toBe(403);
      expect((await post(path, {})).status).toBe(403);
      expect((await post(path, { origin: `http://localhost:${port}`, "sec-fetch-site": "cross-site" })).status).toBe(
        403,
      );
    }
    expect((await post("/login", { origin: `http://localhost:${port}` })).status).toBe(302);
    const api = await fetch(`http://localhost:${port}/api/auth/refresh`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ refresh_token: "x" }),
    });
    expect(api.status).toBe(401);
  });

  it("T14 refuses a body of more than 64 KiB, with or without a Content-Length", async () => {
    const origin = `http://localhost:${port}`;
    const big = "a".repeat(70_000);
    const withLength = await fetch(`${origin}/api/kyc`, {
      method: "POST",
      body: big,
      headers: { "content-type": "application/json" },
    });
    expect(withLength.status).toBe(413);
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(big));
        controller.close();
      },
    });
    const chunked = await fetch(`${origin}/login`, {
      method: "POST",
      body: stream,
      duplex: "half",
      headers: { origin },
    } as RequestInit);
    expect(chunked.status).toBe(413);
  });

  it("serves assets compressed at build time, with Vary and an ETag", async () => {
    const html = await (await get("/login")).text();
    const asset = /\/assets\/framework-[^"]+\.js/.exec(html)?.[0] ?? "";
    const brotli = await get(asset, { "accept-encoding": "gzip, br" });
    expect(brotli.headers.get("content-encoding")).toBe("br");
    expect(brotli.headers.get("vary")).toBe("Accept-Encoding");
    expect(brotli.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    const plain = await get(asset, { "accept-encoding": "identity" });
    expect([plain.headers.get("content-encoding"), plain.headers.get("vary")]).toEqual([null, "Accept-Encoding"]);
    expect(await plain.text()).toBe(await brotli.text());
    const again = await get(asset, {
      "accept-encoding": "gzip, br",
      "if-none-match": brotli.headers.get("etag") ?? "",
    });
    expect(again.status).toBe(304);
  });

  it("T10 lets browsers revalidate signed-out pages, but not store anything private", async () => {
    expect((await get("/login")).headers.get("cache-control")).toBe("no-cache");
    expect((await get("/status")).headers.get("cache-control")).toBe("private, no-store");
    const started = await fetch(`http://localhost:${port}/login`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: `http://localhost:${port}` },
      body: new URLSearchParams({ intent: "send-code", identifier: "ada@example.org" }),
    });
    expect(started.status).toBe(302);
    expect(started.headers.get("cache-control")).toBe("private, no-store");
    expect(started.headers.get("set-cookie")).toMatch(/^challenge-email=.*HttpOnly/);
    const cookie = started.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
    for (const path of ["/login", "/login.data"]) {
      const pending = await get(path, { cookie });
      expect(await pending.text()).toContain("ada@example.org");
      expect([path, pending.headers.get("cache-control")]).toEqual([path, "private, no-store"]);
    }
  });

  it("T18 logs JSON lines without queries", async () => {
    // No other test requests the last two, so these are the lines of these requests.
    const paths = ["/login", "/logged/nope", "/logged/nope%0d%0a%1b[31m"];
    for (const path of paths) await get(`${path}?redirect=/canary-in-the-query`);
    await until(withOutput("the log lines"), () => paths.every((path) => output.includes(`"${path}"`)));
    expect(output).not.toContain("canary-in-the-query");
    for (const line of output
      .trim()
      .split("\n")
      .filter((text) => text.startsWith("{")))
      expect(() => JSON.parse(line)).not.toThrow();
  });

  it.each<[string, () => Promise<Record<string, string>>, RegExp]>([
    ["a port in use", async () => ({ PORT: String(port) }), /^Port \d+ is in use.* PORT /],
    ["invalid settings", async () => ({ PORT: "eighty", SMTP_URL: "smtp://" }), /PORT: .*\n.*SMTP_URL: /],
    [
      "a database that cannot be reached",
      async () => ({ PORT: String(await freePort()), DATABASE_URL: "postgres://a:canary-7f3a@127.0.0.1:1/a" }),
      /DATABASE_URL/,
    ],
  ])("exits with 1 and a message without a stack after %s", async (_name, environment, expected) => {
    const DATA_DIR = createEmptyDirectory("failed");
    const failed = run(["build/server/server.js"], { DATA_DIR, ...(await environment()) });
    let errors = "";
    failed.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    expect(await ended(failed)).toBe(1);
    expect(errors).toMatch(expected);
    expect(errors).not.toMatch(/\n\s+at |canary-7f3a/);
    expect(isAnvilRunning(DATA_DIR)).toBe(false);
  });

  it("exits with 0 after Ctrl-C, which npm delivers twice, and leaves no process behind", async () => {
    const DATA_DIR = remember(await createDataDirectory("stop"));
    const stopped = run([unoptimized, "build/server/server.js"], { PORT: String(await freePort()), DATA_DIR });
    let said = "";
    let errors = "";
    stopped.stdout?.on("data", (chunk: Buffer) => (said += chunk.toString()));
    stopped.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    await untilReady(stopped, () => said + errors);
    expect(isAnvilRunning(DATA_DIR)).toBe(true);
    const { pid } = JSON.parse(readFileSync(join(DATA_DIR, "ethereum/anvil.json"), "utf8")) as { pid: number };
    stopped.kill("SIGINT");
    stopped.kill("SIGINT");
    expect([await ended(stopped), errors]).toEqual([0, ""]);
    // An ended process keeps its PID until its parent, which is now the init process, has reaped it.
    await until("the end of the Ethereum node", () => !isRunning(pid));
    expect(existsSync(join(DATA_DIR, "lock.json"))).toBe(false);
  }, 200_000);

  it.each<[string, Record<string, string>]>([
    ["", {}],
    [" with a database of its own", { DATABASE_URL: "postgres://a@127.0.0.1:1/a" }],
  ])("T62 a second start on the same directory%s says what to do, exits and leaves the chain alone", async (_, env) => {
    const second = run(["build/server/server.js"], { PORT: String(await freePort()), ...env });
    let errors = "";
    second.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    expect(await ended(second)).toBe(1);
    expect(errors).toContain("is in use by the process");
    expect(isAnvilRunning(dataDir)).toBe(true);
  });

  it("API_URL: runs the site in another process, without a database, on the exchange of this one", async () => {
    const sitePort = await freePort();
    const site = `http://localhost:${sitePort}`;
    const env = {
      PORT: String(sitePort),
      API_URL: `http://localhost:${port}`,
      SESSION_SECRET: secret,
      DATA_DIR: createEmptyDirectory("site"),
    };
    const other = run(["build/server/server.js"], env);
    other.stderr?.on("data", (chunk: Buffer) => (output += chunk.toString()));
    try {
      const isUp = () =>
        fetch(`${site}/api/status`).then(
          ({ ok }) => ok,
          () => false,
        );
      await until(withOutput("the site"), isUp, { timeoutMs: 60_000 });
      expect(readdirSync(env.DATA_DIR)).toEqual([]);

      // Signs in by e-mail code, like a browser without JavaScript.
      let cookie = "";
      const visit = async (path: string, form?: Record<string, string>) => {
        const response = await fetch(site + path, {
          redirect: "manual",
          headers: { origin: site, cookie },
          ...(form && { method: "POST", body: new URLSearchParams(form) }),
        });
        const set = response.headers.getSetCookie().map((line) => line.split(";", 1)[0]);
        if (set.length > 0) cookie = set.join("; ");
        return { status: response.status, location: response.headers.get("location"), text: await response.text() };
      };
      const readCode = (email: string) =>
        until(withOutput("the code"), async () => {
          const mails: { code: string | null }[] = await (await get(`/sandbox/inbox?to=${email}`)).json();
          return mails.find(({ code }) => code)?.code;
        });
      const sent = await visit("/login", { intent: "send-code", identifier: "ada@api.example" });
      // The first response with a cookie: the page checks that the browser has stored it.
      expect(sent.location).toBe("/login?cookies=check");
      expect((await visit(sent.location ?? "")).location).toBe("/login");
      expect((await visit("/login")).text).toContain("Code from the e-mail");
      const code = await readCode("ada@api.example");
      expect((await visit("/login", { intent: "verify-code", code })).location).toBe("/login");
      const signedIn = await visit("/login");
      expect(signedIn.text).toContain("One more step: add a passkey");
      expect(signedIn.text).toContain("ada@api.example");

      // Creates a customer through the site's own /api/*, which forwards everything.
      const email = "bob@api.example";
      let token = "";
      const call = async (path: string, body?: unknown) => {
        const response = await fetch(site + path, {
          method: body === undefined ? "GET" : "POST",
          headers: { "Content-Type": "application/json", ...(token && { "X-Auth-Token": token }) },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        return { status: response.status, body: await response.json() };
      };
      const started = await call("/api/auth/passkey/register", { identifier: email });
      const attestation = new TestAuthenticator(`http://localhost:${port}`).create(started.body.options);
      const registration = { identifier: email, challenge_id: started.body.challenge_id, attestation };
      token = (await call("/api/auth/passkey/register/verify", registration)).body.access_token;
      const requested = await call("/api/auth", { auth_method: "email", credentials: { identifier: email } });
      expect(requested.status).toBe(202);
      const auth_data = { code: await readCode(email) };
      const credentials = { challenge_id: requested.body.challenge_id, auth_data };
      const tokens = (await call("/api/auth", { credentials })).body;
      token = tokens.access_token;
      expect((await call("/api/kyc", application)).status).toBe(202);
      const isApproved = async () => (await call("/api/kyc")).body.status === "approved";
      await until(withOutput("the approval"), isApproved);

      // The site requests a quote from the exchange with this customer's session, and shows it.
      const cookies = createSiteCookies(parseConfig(env));
      const tokensInCookie = { access: tokens.access_token, refresh: tokens.refresh_token, passkey: true };
      cookie = (await cookies.session.serialize(tokensInCookie)).split(";", 1)[0] ?? "";
      const quoted = await visit("/swap/usdt-to-mob", { intent: "quote", source: "250" });
      expect(quoted.location).toMatch(/^\/swap\/quote\/[0-9]+\?.*source_amount=250&/);
      const quotePage = await visit(quoted.location ?? "");
      expect(quotePage.status).toBe(200);
      expect(quotePage.text).toMatch(/Lock/);
      expect((await visit("/sandbox")).status).toBe(404);
      expect((await visit("/logout", {})).location).toBe("/login");
      expect((await call("/api/users/me")).status).toBe(401);
    } finally {
      await stopProcess(other);
    }
  }, 240_000);
});

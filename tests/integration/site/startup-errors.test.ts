import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { HDKey } from "@scure/bip32";
import { sql } from "drizzle-orm";
import { Hono } from "hono";
import pg from "pg";
import { pino } from "pino";
import { afterAll, describe, expect, it } from "vitest";
import { parseConfig } from "~/config/config.server";
import { toConnectionError } from "~/exchange.server/db/connection-error";
import { lockDirectory } from "~/exchange.server/db/lock-directory";
import { openPglite, openPostgres } from "~/exchange.server/db/open";
import { startPglite } from "~/exchange.server/db/pglite";
import { chainStates } from "~/exchange.server/db/schema/chains";
import type { ExternalSystems } from "~/exchange.server/exchange";
import { bootExchange } from "~/exchange.server/index";
import { connectLive } from "~/exchange.server/live";
import { requireSecret } from "~/exchange.server/startup-checks/require-secret";
import { StartupError } from "~/lib/startup-error";
import { listen } from "~/server/listen.server";
import type { SiteBindings } from "~/server/site.server";
import { toStartupMessage } from "~/server/startup-message.server";
import { liveEnvironment } from "../../support/environments";
import { createEmptyPostgres, createTestPostgres } from "../../support/postgres";
import { freePort } from "../../support/raw-http";
import { createTemporaryDirectory } from "../../support/temporary-directory";

const canary = "canary-7f3a";
const xpub = HDKey.fromMasterSeed(new Uint8Array(32).fill(7)).derive("m/44'/60'/0'").publicExtendedKey;
const log = pino({ level: "silent" });
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

type RpcResponse = { result: unknown } | { error: unknown };

/** A JSON-RPC server with a credential in its URL. */
async function startRpc(respond: (method: string, params: unknown) => RpcResponse): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    let body = "";
    for await (const chunk of incoming) body += chunk;
    const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: unknown };
    outgoing.setHeader("Content-Type", "application/json");
    outgoing.end(JSON.stringify({ jsonrpc: "2.0", id, ...respond(method, params) }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/${canary}`;
}

const closedPort = async () => `http://127.0.0.1:${await freePort()}/${canary}`;

const block = () => ({
  number: "0x10",
  hash: `0x${"1".repeat(64)}`,
  timestamp: `0x${Math.floor(Date.now() / 1000).toString(16)}`,
  baseFeePerGas: "0x1",
  transactions: [],
});
const ethereum = (
  chainId: number,
  code = "0x60",
  finalized: RpcResponse = { result: block() },
  newest: RpcResponse = { result: block() },
  decimals: RpcResponse = { result: `0x${"6".padStart(64, "0")}` },
) =>
  startRpc((method, params) => {
    if (method === "eth_chainId") return { result: `0x${chainId.toString(16)}` };
    if (Array.isArray(params) && params[0] === "finalized") return finalized;
    if (method === "eth_getBlockByNumber") return newest;
    if (method === "eth_getCode") return { result: code };
    if (method === "eth_call") return decimals;
    return { error: { code: -32601, message: method } };
  });
const fullService = (chainId: string) =>
  startRpc((method) =>
    method === "get_network_status"
      ? {
          result: {
            network_status: {
              network_block_height: "1",
              local_block_height: "1",
              network_info: { chain_id: chainId, offline: false, fees: { "0": "400000000" }, block_version: "3" },
            },
          },
        }
      : {
          error: {
            code: -32603,
            message: "InternalError",
            data: { server_error: 'Database(AccountNotFound("abc"))', details: "Error interacting with the database" },
          },
        },
  );

const toLiveConfig = (environment: Record<string, string>) =>
  parseConfig({ ...liveEnvironment, DATA_DIR: createTemporaryDirectory(), ETH_XPUB: xpub, ...environment });

/** The first thing that is wrong with a live exchange, as its operator reads it. */
async function failToConnect(environment: Record<string, string>): Promise<string> {
  const config = toLiveConfig(environment);
  if (config.live === null) throw new Error("The configuration is not live.");
  const error: unknown = await connectLive(config.live, config, log).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StartupError);
  return toStartupMessage(error);
}

describe("a start that fails says which variable to change", () => {
  it("ETH_RPC_URLS: no node responds", async () => {
    const urls = [await closedPort(), await closedPort()];
    const message = await failToConnect({ ETH_RPC_URLS: urls.join(","), MOBILECOIN_URL: await fullService("main") });
    expect(message).toMatch(/^No Ethereum node responds at http:\/\/127\.0\.0\.1:\d+\/…, http.*check ETH_RPC_URLS\.$/m);
    expect(message).not.toContain(canary);
  });

  it("ETH_CHAIN_ID: the node is on another chain", async () => {
    const message = await failToConnect({
      ETH_RPC_URLS: await ethereum(11_155_111),
      MOBILECOIN_URL: await fullService("main"),
    });
    expect(message).toMatch(/on chain 11155111, not on 1.*ETH_CHAIN_ID/);
  });

  it("USDT_ADDRESS: there is no contract", async () => {
    const message = await failToConnect({
      ETH_RPC_URLS: await ethereum(1, "0x"),
      MOBILECOIN_URL: await fullService("main"),
    });
    expect(message).toMatch(/no contract at USDT_ADDRESS/);
  });

  it.each<[what: string, expected: RegExp, decimals: RpcResponse]>([
    [
      "USDT_ADDRESS: the contract has no decimals",
      /^The contract at USDT_ADDRESS is not a token/m,
      { error: { code: 3, message: "execution reverted", data: "0x" } },
    ],
    [
      "USDT_ADDRESS or ETH_RPC_URLS: the node cannot call the contract",
      /^decimals\(\) of the contract at USDT_ADDRESS cannot be called \(Internal error\): check USDT_ADDRESS and ETH_RPC_URLS\.$/m,
      { error: { code: -32603, message: "Internal error" } },
    ],
    [
      "USDT_ADDRESS or ETH_RPC_URLS: the contract halts",
      /^decimals\(\) of the contract at USDT_ADDRESS cannot be called \(invalid opcode: INVALID\): /m,
      { error: { code: -32000, message: "invalid opcode: INVALID" } },
    ],
    [
      "USDT_ADDRESS or ETH_RPC_URLS: the contract returns something else",
      /^decimals\(\) of the contract at USDT_ADDRESS cannot be called \(Data size of 1 bytes is too small/m,
      { result: "0x06" },
    ],
  ])("%s", async (_what, expected, decimals) => {
    const newest = { result: block() };
    const ETH_RPC_URLS = await ethereum(1, "0x60", newest, newest, decimals);
    expect(await failToConnect({ ETH_RPC_URLS, MOBILECOIN_URL: await fullService("main") })).toMatch(expected);
  });

  it("USDT_ADDRESS: what most nodes say about the token counts, not what one of three does", async () => {
    const newest = { result: block() };
    const MOBILECOIN_URL = await fullService("main");
    const good = [await ethereum(1), await ethereum(1)];
    for (const decimals of [
      { error: { code: -32603, message: "Internal error" } },
      { result: `0x${"12".padStart(64, "0")}` },
    ]) {
      const faulty = await ethereum(1, "0x60", newest, newest, decimals);
      const message = await failToConnect({ ETH_RPC_URLS: [faulty, ...good].join(","), MOBILECOIN_URL });
      expect(message).toMatch(/^full-service has no account/);
    }
  });

  it.each<[what: string, response: RpcResponse]>([
    ["does not know the tag", { error: { code: -32602, message: "invalid argument 0: hex string without 0x prefix" } }],
    ["has no such block yet", { error: { code: -39001, message: "Unknown block" } }],
    ["had none in an earlier version", { error: { code: -32000, message: "finalized block not found" } }],
    ["returns nothing", { result: null }],
  ])("ETH_RPC_URLS: a majority needs a node's finalized block, which one %s", async (_what, response) => {
    const [known, unknown] = [await ethereum(1), await ethereum(1, "0x60", response)];
    const MOBILECOIN_URL = await fullService("main");
    const message = await failToConnect({ ETH_RPC_URLS: [known, unknown].join(","), MOBILECOIN_URL });
    expect(message).toMatch(/^Ethereum node 2 cannot return the newest finalized block: .*ETH_RPC_URLS/m);
    expect(message).not.toContain(canary);
    // With a third node, one without it does not matter. Neither does one that fails for another reason.
    const busy = await ethereum(1, "0x60", { error: { code: -32000, message: "try again" } });
    const others = await failToConnect({ ETH_RPC_URLS: [known, busy, unknown].join(","), MOBILECOIN_URL });
    expect(others).toMatch(/^full-service has no account/);
    const refusal = { error: { code: -32602, message: "This key may not call this method." } };
    const refusing = await ethereum(1, "0x60", refusal, refusal);
    expect(await failToConnect({ ETH_RPC_URLS: [known, refusing, unknown].join(","), MOBILECOIN_URL })).toBe(others);
  });

  it("MOBILECOIN_URL: full-service does not respond", async () => {
    const message = await failToConnect({ ETH_RPC_URLS: await ethereum(1), MOBILECOIN_URL: await closedPort() });
    expect(message).toMatch(/^full-service at http:\/\/127\.0\.0\.1:\d+\/….*check MOBILECOIN_URL\.$/m);
    expect(message).not.toContain(canary);
  });

  it("MOBILECOIN_CHAIN_ID: full-service is on another network", async () => {
    const message = await failToConnect({
      ETH_RPC_URLS: await ethereum(1),
      MOBILECOIN_URL: await fullService("test"),
    });
    expect(message).toMatch(/network "test".*MOBILECOIN_CHAIN_ID/);
  });

  it("names both chains if both fail", async () => {
    const message = await failToConnect({ ETH_RPC_URLS: await closedPort(), MOBILECOIN_URL: await closedPort() });
    expect(message).toMatch(/check ETH_RPC_URLS\.\nfull-service .*check MOBILECOIN_URL\.$/);
  });

  it("MOBILECOIN_ACCOUNT_ID: full-service does not have the account", async () => {
    const message = await failToConnect({
      ETH_RPC_URLS: await ethereum(1),
      MOBILECOIN_URL: await fullService("main"),
    });
    expect(message).toBe("full-service has no account abc: check MOBILECOIN_ACCOUNT_ID.");
  });

  it.each([
    ["ETH_XPUB", "xpub-of-our-own", /^ETH_XPUB /],
    ["ETH_PAYOUT_PRIVATE_KEY", `0x${"0".repeat(64)}`, /^ETH_PAYOUT_PRIVATE_KEY /],
  ])("%s: is not a valid key", async (name, value, expected) => {
    const urls = { ETH_RPC_URLS: await closedPort(), MOBILECOIN_URL: await closedPort() };
    const message = await failToConnect({ ...urls, [name]: value });
    expect(message).toMatch(expected);
    expect(message).not.toContain(value);
  });

  it("DATABASE_URL: PostgreSQL does not accept connections", async () => {
    const port = await freePort();
    const error = await openPostgres(`postgres://antelope:${canary}@127.0.0.1:${port}/antelope`).catch((e) => e);
    expect(error).toBeInstanceOf(StartupError);
    expect(toStartupMessage(error)).toBe(
      `PostgreSQL at postgres://127.0.0.1:${port}/… does not accept connections: check DATABASE_URL.`,
    );
  });

  it.each([
    ["28P01", /refuses the user name or password: check DATABASE_URL/],
    ["3D000", /has no database with that name/],
    ["42501", /does not let this user create or use the tables/],
    ["57P01", /is starting up or shutting down/],
  ])("DATABASE_URL: PostgreSQL refuses with %s", (code, expected) => {
    const inner = Object.assign(new Error("refused"), { code });
    for (const error of [inner, new Error("Failed query", { cause: inner }), new AggregateError([inner])]) {
      expect(toConnectionError(`postgres://a:${canary}@db/antelope`, error).message).toMatch(expected);
    }
    expect(toConnectionError(`postgres://a:${canary}@db/antelope`, inner).message).not.toContain(canary);
  });

  it("DATABASE_URL: the certificate of PostgreSQL's authority cannot be read", async () => {
    const file = join(createTemporaryDirectory(), "ca.pem");
    const url = `postgres://antelope:${canary}@127.0.0.1/antelope?sslmode=verify-full&sslrootcert=${file}`;
    const error = await openPostgres(url).catch((e) => e);
    expect(error).toBeInstanceOf(StartupError);
    expect(toStartupMessage(error)).toBe(
      `PostgreSQL at postgres://127.0.0.1/… cannot be opened (ENOENT: no such file or directory, open '${file}'): check DATABASE_URL.`,
    );
  });

  it("DATA_DIR: the embedded database is damaged", async () => {
    const dataDir = createTemporaryDirectory();
    mkdirSync(join(dataDir, "database"));
    writeFileSync(join(dataDir, "database/PG_VERSION"), "damaged");
    const error = await openPglite(startPglite(join(dataDir, "database"))).catch((e) => e);
    expect(toStartupMessage(error)).toMatch(/^The embedded database in .* cannot be opened .*DATA_DIR/);
  });

  it("DATA_DIR: another process uses the directory", () => {
    const dataDir = createTemporaryDirectory();
    const lock = lockDirectory(dataDir);
    try {
      lockDirectory(dataDir);
      expect.unreachable();
    } catch (error) {
      expect(toStartupMessage(error)).toMatch(/is in use by the process \d+.*another DATA_DIR and PORT\.$/);
    }
    lock.release();
  });

  it("DATA_DIR: the directory cannot be created", () => {
    const dataDir = createTemporaryDirectory();
    writeFileSync(join(dataDir, "file"), "");
    expect(() => lockDirectory(join(dataDir, "file/data"))).toThrowError(/is not a writable directory.*DATA_DIR/);
  });

  it.each([
    ["PORT", {}, /^Port \d+ is in use by another program.*PORT/],
    ["HOST", { host: "203.0.113.7" }, /^203\.0\.113\.7 is not an address of this machine: correct HOST\.$/],
  ])("%s: cannot be listened on", async (_name, change, expected) => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    servers.push(taken);
    const config = {
      ...parseConfig({ DATA_DIR: createTemporaryDirectory(), PORT: String((taken.address() as AddressInfo).port) }),
      ...change,
    };
    const error: unknown = await listen({
      config,
      log,
      site: new Hono<{ Bindings: SiteBindings }>(),
      serveStatic: () => false,
      servePage: (_incoming, _outgoing, _visit, next) => next(),
    }).catch((thrown: unknown) => thrown);
    expect(toStartupMessage(error)).toMatch(expected);
  });

  it("a query that failed gives the database's reason", async () => {
    const url = await createTestPostgres();
    const { db, close } = await openPostgres(url);
    await db.execute(sql`drop table secret_fingerprints`);
    await close();
    const config = toLiveConfig({
      DATABASE_URL: url,
      ETH_CHAIN_ID: "11155111",
      ETH_RPC_URLS: await closedPort(),
      MOBILECOIN_CHAIN_ID: "test",
      MOBILECOIN_URL: await closedPort(),
    });
    const external = { stop: async () => undefined } as unknown as ExternalSystems;
    const error: unknown = await bootExchange(config, log, async () => external).catch((thrown: unknown) => thrown);
    expect(toStartupMessage(error)).toBe(
      'Antelope could not start: a query failed: relation "secret_fingerprints" does not exist (LOG_LEVEL=debug prints more.)',
    );
  });

  it("anything else is one sentence without a stack or credentials", () => {
    const error = new Error(`fetch of https://user:${canary}@a.example/x failed\nURL: https://a.example/${canary}`);
    const message = toStartupMessage(error);
    expect(message).toBe(
      "Antelope could not start: fetch of https://a.example/… failed (LOG_LEVEL=debug prints more.)",
    );
  });

  it("stops the chains if the database cannot be opened", async () => {
    let stopped = 0;
    const config = parseConfig({
      DATA_DIR: createTemporaryDirectory(),
      DATABASE_URL: `postgres://antelope@127.0.0.1:${await freePort()}/antelope`,
    });
    const external = { stop: async () => void stopped++ } as unknown as ExternalSystems;
    await expect(bootExchange(config, log, async () => external)).rejects.toThrow("check DATABASE_URL");
    expect(stopped).toBe(1);
  });

  it("DATABASE_URL: PostgreSQL may lose what a live exchange commits, like the tests' own server", async () => {
    const config = toLiveConfig({
      DATABASE_URL: await createEmptyPostgres(),
      ETH_RPC_URLS: await closedPort(),
      MOBILECOIN_URL: await closedPort(),
    });
    const external = { stop: async () => undefined } as unknown as ExternalSystems;
    await expect(bootExchange(config, log, async () => external)).rejects.toThrow(/switch on fsync.*DATABASE_URL/);
  });

  it("leaves the database as it was if a live exchange cannot connect to its chains", async () => {
    const url = await createEmptyPostgres();
    const config = toLiveConfig({
      DATABASE_URL: url,
      ETH_RPC_URLS: await closedPort(),
      MOBILECOIN_URL: await closedPort(),
    });
    const connect = async () => {
      throw new StartupError("A node is out of reach.");
    };
    await expect(bootExchange(config, log, connect)).rejects.toThrow("A node is out of reach.");
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query("select to_regnamespace('drizzle')::text as migrations");
    await client.end();
    expect(rows).toEqual([{ migrations: null }]);
  });

  it.each([
    [
      "another SESSION_SECRET",
      { SESSION_SECRET: "uT4gW8nY1kS6vB3qM9zD2xH7rC5jL0pF" },
      /^SESSION_SECRET is not the one/,
    ],
    [
      "another network",
      { MOBILECOIN_CHAIN_ID: "main" },
      /^The database belongs to .* test, not main: set DATABASE_URL/,
    ],
    ["a sandbox's settings", { EXCHANGE_MODE: "sandbox" }, /^The database belongs to .* test, not sandbox/],
  ])("leaves a database that was used with other settings as it was: %s", async (_name, changes, expected) => {
    const url = await createTestPostgres();
    const settings = {
      DATABASE_URL: url,
      ETH_CHAIN_ID: "11155111",
      ETH_RPC_URLS: "https://node.example",
      MOBILECOIN_CHAIN_ID: "test",
      MOBILECOIN_URL: "https://wallet.example",
    };
    const { db, close } = await openPostgres(url);
    await db.insert(chainStates).values([
      { asset: "USDT", chainId: "11155111" },
      { asset: "MOB", chainId: "test" },
    ]);
    await requireSecret(db, toLiveConfig(settings).exchange, { isExchange: true });
    // As if this version had one more migration.
    await db.execute(sql`update drizzle.__drizzle_migrations set created_at = created_at - 1`);
    await close();
    const external = { stop: async () => undefined } as unknown as ExternalSystems;
    await expect(bootExchange(toLiveConfig({ ...settings, ...changes }), log, async () => external)).rejects.toThrow(
      expected,
    );
    const after = await openPostgres(url, { migrates: false }).catch((error: unknown) => error);
    expect(String(after)).toContain("has not migrated the database yet");
  });
});

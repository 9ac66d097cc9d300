import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, createServer, request as forward, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { HDKey } from "@scure/bip32";
import pino from "pino";
import type { ApiClient } from "~/api/client";
import { createClock } from "~/exchange.server/db/clock";
import { openPostgres } from "~/exchange.server/db/open";
import { startSandboxEthereum } from "~/sandbox.server/ethereum/start";
import { createSandboxInbox } from "~/sandbox.server/inbox";
import { startSandboxMobilecoin } from "~/sandbox.server/mobilecoin/start";
import { keepsCommits, startPostgres } from "../support/postgres-server";
import { type Connections, openProcess, toConnections } from "../support/process-on-chains";
import { freePort } from "../support/raw-http";
import { signUp } from "../support/sign-up";
import { until } from "../support/until";
import { toCookie } from "./crowd-data";
import { type Load, measure } from "./load";
import { type RunningServer, startSite } from "./servers";
import { count, ms, printTable } from "./table";

const setups = [["all"], ["web", "web", "worker"]] as const;
/** How long new processes have to fill their caches, and the worker to scan, before the load starts. */
const settleMs = 5_000;

/**
 * Quotes and pages of one process, and of two sites and a worker behind a proxy: in live mode, on the sandbox's chains.
 */
export async function benchProcesses(): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), "antelope-bench-processes-"));
  const log = pino({ level: "silent" });
  const postgres = await startPostgres(keepsCommits);
  const ethereum = await startSandboxEthereum({ dataDir: data, log, blockTimeMs: 5_000 });
  const mobilecoin = await startSandboxMobilecoin({ dataDir: null, log, blockDelayMs: 100 });
  const feeds = await startFeeds();
  try {
    const chains = toConnections(`${postgres.url}/postgres`, ethereum, mobilecoin);
    // Live mode refuses the sandbox's xpub, which is published.
    const xpub = HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/60'/0'").publicExtendedKey;
    const connections = { ...chains, ethereum: { ...chains.ethereum, xpub } };
    const proxyPort = await freePort();
    const origin = `https://localhost:${proxyPort}`;
    const secret = randomBytes(32).toString("base64url");
    const token = await createCustomer(connections, { origin, secret });
    const cookie = `hasVisited=true; __Host-${await toCookie(secret, token)}`;
    const env = toLiveSettings(connections, { origin, secret, feeds: feeds.url });
    const rows: string[][] = [];
    for (const roles of setups) {
      const loads = await measureSetup(roles, { env, data, proxyPort, token, cookie });
      rows.push([
        roles.join(" + "),
        ...[loads.quotes, loads.pages].flatMap((load) => [count(load.perSecond), ms(load.p50), ms(load.p99)]),
        String(loads.quotes.failed + loads.pages.failed),
        loadavg()[0]?.toFixed(1) ?? "",
      ]);
    }
    const head = "processes,quotes/s,p50,p99,pages/s,p50,p99,failed,load".split(",");
    printTable("Several processes on PostgreSQL, behind a proxy (10 connections, 4 s each)", head, rows);
  } finally {
    feeds.server.close();
    await mobilecoin.stop();
    await ethereum.stop();
    await postgres.stop();
    await rm(data, { recursive: true, force: true });
  }
}

/** Two price feeds with one server. */
async function startFeeds(): Promise<{ server: Server; url: string }> {
  const server = createServer((_incoming, outgoing) => {
    outgoing.setHeader("Content-Type", "application/json");
    outgoing.end(JSON.stringify({ rate: "0.35", at: new Date().toISOString() }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Signs up a verified customer with the sandbox's inbox and reviewer, which live mode does not have. */
async function createCustomer(connections: Connections, config: { origin: string; secret: string }): Promise<string> {
  const exchange = await openProcess(connections, { config: { ...config, rpId: "localhost" } });
  const database = await openPostgres(connections.databaseUrl, { poolSize: 1 });
  const inbox = createSandboxInbox(database.db, createClock());
  try {
    await exchange.workers.start();
    const backend = {
      origin: config.origin,
      fetch: (request: Request) => exchange.fetch(request),
      readCode: (to: string) =>
        until("the code", async () => (await inbox.list(to)).find(({ code }) => code !== null)?.code),
      untilReviewed: (api: ApiClient) => until("the review", async () => (await api.getKyc()).status !== "pending"),
    };
    return (await signUp(backend, "bench@example.org")).tokens.access_token;
  } finally {
    await exchange.workers.stop();
    await exchange.close();
    await database.close();
  }
}

function toLiveSettings(
  { databaseUrl, ethereum, mobilecoin }: Connections,
  { origin, secret, feeds }: { origin: string; secret: string; feeds: string },
): Record<string, string> {
  return {
    EXCHANGE_MODE: "live",
    ORIGIN: origin,
    SESSION_SECRET: secret,
    DATABASE_URL: databaseUrl,
    ETH_RPC_URLS: ethereum.rpcUrl,
    ETH_CHAIN_ID: String(ethereum.chainId),
    ETH_XPUB: ethereum.xpub,
    ETH_PAYOUT_PRIVATE_KEY: ethereum.payoutPrivateKey,
    USDT_ADDRESS: ethereum.usdtAddress,
    USDT_FINALIZED_ABOVE: "10000",
    MOBILECOIN_URL: mobilecoin.url,
    MOBILECOIN_ACCOUNT_ID: mobilecoin.accountId,
    MOBILECOIN_CHAIN_ID: mobilecoin.chainId,
    RATE_SOURCES: `${feeds}/one,${feeds}/two`,
    // Never called, because nothing is mailed or reviewed here.
    SMTP_URL: "smtp://127.0.0.1:9",
    MAIL_FROM: "bench@example.org",
    KYC_URL: `${feeds}/kyc`,
    KYC_API_KEY: "bench",
    KYC_WEBHOOK_SECRET: "bench",
  };
}

async function measureSetup(
  roles: readonly string[],
  options: { env: Record<string, string>; data: string; proxyPort: number; token: string; cookie: string },
): Promise<{ quotes: Load; pages: Load }> {
  const { env, data, proxyPort, token, cookie } = options;
  const started: RunningServer[] = [];
  let proxy: Server | undefined;
  try {
    for (const [i, role] of roles.entries()) {
      started.push(await startSite({ dataDir: join(data, `process-${i}`), env: { ...env, ROLE: role } }));
    }
    const ports = started.filter((_, i) => roles[i] !== "worker").map(({ port }) => port);
    proxy = await startProxy(proxyPort, ports);
    const url = `http://localhost:${proxyPort}`;
    await until("swaps", async () => {
      const status = (await (await fetch(`${url}/api/status`)).json()) as { accepting_swaps: boolean };
      return status.accepting_swaps;
    });
    await sleep(settleMs);
    const body = JSON.stringify({ source_asset_symbol: "USDT", target_asset_symbol: "MOB", source_amount: "250" });
    const headers = { "X-Auth-Token": token, "Content-Type": "application/json" };
    return {
      quotes: await measure(`${url}/api/swap/quotes`, { method: "POST", headers, body }),
      pages: await measure(`${url}/swap/usdt-to-mob`, { headers: { Cookie: cookie } }),
    };
  } finally {
    proxy?.closeAllConnections();
    proxy?.close();
    for (const server of started) await server.stop();
  }
}

/** Sends each request to the next of the ports. */
async function startProxy(port: number, ports: number[]): Promise<Server> {
  const agent = new Agent({ keepAlive: true });
  let next = 0;
  const server = createServer((incoming, outgoing) => {
    const target = ports[next % ports.length];
    next += 1;
    const { method, url: path, headers } = incoming;
    const sent = forward({ agent, host: "127.0.0.1", port: target, method, path, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    sent.on("error", () => outgoing.destroy());
    incoming.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(port, resolve));
  return server;
}

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { constants, loadavg, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { type OpenDatabase, openPglite } from "~/exchange.server/db/open";
import { startPglite } from "~/exchange.server/db/pglite";
import { connect } from "../support/sign-up";
import { createBenchAccount } from "./account";
import type { ClientReport } from "./crowd-client";
import { createWatchers, type Watcher } from "./crowd-data";
import {
  type RunningServer,
  readMainThread,
  readRefusedConnections,
  readResident,
  readTree,
  startSite,
} from "./servers";
import { megabytes, ms, printTable, verdict } from "./table";

const streams = 10_000;
const phaseMs = 60_000;
/** How long to wait for streams to open. */
const openingMs = 480_000;

/** The limits of `npm start`, which the other benches lift. */
const limits = {
  REQUESTS_PER_ADDRESS_PER_MINUTE: "1200",
  WRITES_PER_ACCOUNT_PER_MINUTE: "120",
  CODES_PER_RECIPIENT_PER_10_MINUTES: "3",
  CODES_PER_RECIPIENT_PER_DAY: "10",
  CODES_PER_SENDER_PER_HOUR: "30",
  SANDBOX_ETHEREUM_BLOCK_MS: "2000",
  LOG_LEVEL: "info",
};

/**
 * /login for ordinary visitors while the site has 10,000 event streams, 2,000 slow sockets and 50 hostile requests a
 * second.
 */
export async function benchLoad(): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), "antelope-bench-load-"));
  const clients: Client[] = [];
  let site: RunningServer | undefined;
  try {
    const watchersFile = join(data, "watchers.json");
    const openDatabase = () => openPglite(startPglite(join(data, "database")));
    await writeFile(watchersFile, JSON.stringify(await prepareWatchers(data, { streams, openDatabase })));
    site = await startSite({ dataDir: data, env: limits });
    const start = (kind: string, ...more: string[]) => {
      const client = startClient(kind, String(site?.port), ...more);
      clients.push(client);
      return client;
    };
    const visitors = start("visitors");
    await wait(5_000);
    await visitors.report();
    const rows = [await measurePhase("nothing else", site, visitors)];

    const watchers = start("watchers", watchersFile);
    const openedAt = performance.now();
    let opened = await watchers.report();
    const responses = { ...opened.responses };
    let told = 0;
    while (opened.open < streams && performance.now() - openedAt < openingMs) {
      await wait(1_000);
      opened = await watchers.report();
      for (const [outcome, count] of Object.entries(opened.responses))
        responses[outcome] = (responses[outcome] ?? 0) + count;
      if (opened.open >= told + 1_000) {
        told = opened.open;
        process.stderr.write(`${told} streams are open\n`);
      }
    }
    const openingS = (performance.now() - openedAt) / 1_000;
    const opening = await visitors.report();
    const resident = await readResident(site.pid);
    rows.push(toRow(`while ${streams} streams open (${openingS.toFixed(0)} s)`, opening, { resident }));
    rows.push(await measurePhase(`${opened.open} streams`, site, visitors));
    const slow = start("slow");
    const hostile = start("hostile");
    await wait(10_000);
    for (const client of [visitors, slow, hostile]) await client.report();
    rows.push(await measurePhase("and 2,000 slow sockets, 50 hostile requests/s", site, visitors));

    const head = [
      "/login, 20 visits/s",
      "p50",
      "p99",
      "longest",
      "budget",
      "verdict",
      "not 200",
      "resident",
      "CPU",
      "thread ran",
      "waited",
      "no room",
      "load",
    ];
    printTable("10,000 event streams, 2,000 slow sockets and 50 hostile requests a second", head, rows);
    const kept = await watchers.report();
    const dripping = await slow.report();
    const attacks = await hostile.report();
    for (const line of [
      `event streams: ${listResponses(responses)}; open at the end: ${kept.open}, ended: ${kept.responses.ended ?? 0}`,
      `slow sockets: ${dripping.open} open at the end; ${listResponses(dripping.responses)}`,
      `hostile requests: p50 ${ms(attacks.ms.p50)}, p99 ${ms(attacks.ms.p99)}; ${listResponses(attacks.responses)}`,
    ]) {
      process.stdout.write(`${line}\n`);
    }
  } finally {
    for (const client of clients) client.stop();
    await site?.stop();
    await rm(data, { recursive: true, force: true });
  }
}

/** A site's data directory and database with accounts and orders for all streams. */
export async function prepareWatchers(
  data: string,
  options: { streams: number; env?: Record<string, string>; openDatabase: () => Promise<OpenDatabase> },
): Promise<Watcher[]> {
  const first = await startSite({ dataDir: data, env: options.env });
  const email = "watched@example.org";
  try {
    await openAndCancelOrder(first.origin, email);
  } finally {
    await first.stop();
  }
  const database = await options.openDatabase();
  try {
    const sessionSecret = (await readFile(join(data, "session-secret"), "utf8")).trim();
    return await createWatchers(database, { email, streams: options.streams, sessionSecret });
  } finally {
    await database.close();
  }
}

async function openAndCancelOrder(origin: string, email: string): Promise<void> {
  const { token } = await createBenchAccount(origin, email);
  const api = connect({ origin, fetch }, token);
  const wallet = (await (await fetch(`${origin}/sandbox/mobilecoin/wallet`)).json()) as { address: string };
  const eth = `0x${"5a".repeat(20)}`;
  const delivery = await api.addAddress({ type: "MOB", address: wallet.address, label: "" });
  const refund = await api.addAddress({ type: "ETH", address: eth, label: "" });
  const quote = await api.createQuote({ source_asset_symbol: "USDT", target_asset_symbol: "MOB", source_amount: "20" });
  const addresses = { delivery_address_id: delivery.id, refund_address_id: refund.id };
  const order = await api.lockQuote(quote.id, addresses, "bench");
  await api.cancelOrder(order.id);
}

export type Client = { report(): Promise<ClientReport>; stop(): void };

/**
 * Clients other than the visitors get the lowest priority, because they would not slow down the site from other
 * machines.
 */
export function startClient(...args: string[]): Client {
  const child: ChildProcess = spawn(process.execPath, ["--import", "tsx", "tests/bench/crowd-client.ts", ...args], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  if (args[0] !== "visitors" && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  const exited = new Promise<never>((_, reject) => {
    child.once("exit", () => reject(new Error(`The client ${args[0]} exited.`)));
  });
  exited.catch(() => undefined);
  return {
    report() {
      const received = new Promise<ClientReport>((resolve) => {
        child.once("message", (report) => resolve(report as ClientReport));
      });
      child.send("report");
      return Promise.race([received, exited]);
    },
    stop: () => void child.kill(),
  };
}

async function measurePhase(name: string, site: RunningServer, visitors: Client): Promise<string[]> {
  await visitors.report();
  const before = await readUse(site.pid);
  let peak = 0;
  const watch = setInterval(() => {
    void readResident(site.pid).then((bytes) => {
      peak = Math.max(peak, bytes);
    });
  }, 500);
  await wait(phaseMs);
  clearInterval(watch);
  const after = await readUse(site.pid);
  const report = await visitors.report();
  return toRow(name, report, {
    resident: peak,
    cpuMs: after.cpuMs - before.cpuMs,
    ranMs: after.ranMs - before.ranMs,
    waitedMs: after.waitedMs - before.waitedMs,
    refused: after.refused - before.refused,
  });
}

/** What shows whether the site or the machine was slow. */
type Use = { cpuMs: number; ranMs: number; waitedMs: number; refused: number };

const readUse = async (pid: number): Promise<Use> => ({
  cpuMs: (await readTree(pid)).cpuMs,
  refused: await readRefusedConnections(),
  ...(await readMainThread(pid)),
});

const share = (forMs: number | undefined) => (forMs === undefined ? "–" : `${Math.round((forMs / phaseMs) * 100)} %`);

function toRow(
  name: string,
  { ms: times, responses }: ClientReport,
  { resident, cpuMs, ranMs, waitedMs, refused }: { resident: number } & Partial<Use>,
): string[] {
  const others = Object.entries(responses).filter(([outcome]) => outcome !== "200");
  const failed = others.reduce((sum, [, count]) => sum + count, 0);
  return [
    name,
    ms(times.p50),
    ms(times.p99),
    ms(times.max),
    "< 100 ms",
    verdict(times.p99, 100),
    String(failed),
    megabytes(resident),
    share(cpuMs),
    share(ranMs),
    share(waitedMs),
    refused === undefined ? "–" : String(refused),
    loadavg()[0]?.toFixed(1) ?? "",
  ];
}

const listResponses = (responses: Record<string, number>) =>
  Object.entries(responses)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([outcome, count]) => `${outcome} × ${count}`)
    .join(", ") || "no responses";

const wait = (forMs: number) => new Promise((resolve) => setTimeout(resolve, forMs));

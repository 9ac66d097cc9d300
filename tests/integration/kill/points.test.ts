import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { inArray } from "drizzle-orm";
import pino from "pino";
import { createPublicClient, erc20Abi, http } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type OpenDatabase, openPostgres } from "~/exchange.server/db/open";
import { type OrderRow, orders } from "~/exchange.server/db/schema/orders";
import { payments } from "~/exchange.server/db/schema/payments";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import type { AssetSymbol } from "~/lib/assets";
import { type SandboxEthereum, startSandboxEthereum } from "~/sandbox.server/ethereum/start";
import { type SandboxMobilecoin, startSandboxMobilecoin } from "~/sandbox.server/mobilecoin/start";
import { type Bundle, bundle } from "../../support/bundle";
import { createOrdersHarness } from "../../support/orders-harness";
import { createTestPostgres } from "../../support/postgres";
import { openGateways, toConnections } from "../../support/process-on-chains";
import { until } from "../../support/until";
import { pointNames } from "./points";

const log = pino({ level: "silent" });
const source = fileURLToPath(new URL("./dying-process.ts", import.meta.url));
/** Twenty rounds on two chains took more than a minute on a machine with a load of 40. */
const patience = { timeoutMs: 240_000 };

let script: Bundle;
let dataDir: string;
let ethereum: SandboxEthereum;
let mobilecoin: SandboxMobilecoin;
let database: OpenDatabase;
const children = new Set<ChildProcess>();
beforeAll(async () => {
  script = await bundle(source);
  dataDir = await mkdtemp(join(tmpdir(), "antelope-kill-"));
  ethereum = await startSandboxEthereum({ dataDir, log, blockTimeMs: 100 });
  mobilecoin = await startSandboxMobilecoin({ dataDir: null, log, blockDelayMs: 50 });
}, 180_000);
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await database?.close();
  await ethereum?.stop();
  await mobilecoin?.stop();
  await script?.remove();
  await rm(dataDir, { recursive: true, force: true });
});

/** Ten funded orders that end with payouts and refunds on both chains. Each has its own amounts and addresses. */
async function makeOrders(w: Awaited<ReturnType<typeof createOrdersHarness>>): Promise<OrderRow[]> {
  const kinds = [
    ...(["pay", "pay", "pay", "overpay", "cancel"] as const).map((kind) => ({ source: "USDT" as const, kind })),
    ...(["pay", "pay", "pay", "overpay", "cancel"] as const).map((kind) => ({ source: "MOB" as const, kind })),
  ];
  const made: { order: OrderRow; source: AssetSymbol; kind: string }[] = [];
  // All locks first, because the checks of the chains count for half a minute only.
  for (const [index, { source, kind }] of kinds.entries()) {
    const user = await w.createUser({
      ETH: privateKeyToAddress(generatePrivateKey()),
      MOB: mobilecoin.wallet().address,
    });
    const order = await w.lock(user, source, String(100 + index));
    if (kind === "cancel") await w.cancel(order.id);
    made.push({ order, source, kind });
  }
  for (const { order, source, kind } of made) {
    const amount = kind === "overpay" ? order.sourceAmount * 2n : order.sourceAmount;
    if (source === "USDT") await ethereum.faucet({ address: order.fundingAddress, asset: "USDT", amount });
    else await mobilecoin.pay({ address: order.fundingAddress, amount });
  }
  return made.map(({ order }) => order);
}

/** A process that has loaded everything and waits for the points to die at. */
function startProcess(connections: unknown): ChildProcess {
  const child = spawn(process.execPath, [script.path], {
    env: { ...process.env, PROCESS_OPTIONS: JSON.stringify(connections) },
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.add(child);
  return child;
}

/** Lets a process work. @returns what it names: the points at which it dies, or the assets of its rounds */
function startWork(child: ChildProcess, points: Iterable<string>): string[] {
  const named: string[] = [];
  if (child.stdout) {
    createInterface({ input: child.stdout }).on("line", (text) => named.push(...(JSON.parse(text) as string[])));
  }
  child.stdin?.write(`${JSON.stringify([...points])}\n`);
  return named;
}

/** Lets a process run until it dies. @returns the points at which it died */
async function runToDeath(child: ChildProcess, points: Set<string>): Promise<string[]> {
  const reached = startWork(child, points);
  const limit = setTimeout(() => child.kill("SIGTERM"), 60_000);
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  clearTimeout(limit);
  children.delete(child);
  expect({ code, signal }, `without reaching: ${[...points].join("; ")}`).toEqual({ code: null, signal: "SIGKILL" });
  return reached;
}

it("T46, T47 makes every payment of ten orders exactly once, even though processes die at all 52 points", async () => {
  const databaseUrl = await createTestPostgres();
  database = await openPostgres(databaseUrl, { poolSize: 4 });
  const connections = toConnections(databaseUrl, ethereum, mobilecoin);
  const w = await createOrdersHarness(database, { chains: openGateways(connections) });
  const made = await makeOrders(w);

  const left = new Set(pointNames);
  const standby = [startProcess(connections), startProcess(connections)];
  const reachedPoints: string[] = [];
  let kills = 0;
  while (left.size > 0) {
    const child = standby.shift() ?? startProcess(connections);
    standby.push(startProcess(connections));
    const reached = await runToDeath(child, left);
    expect(reached.length).toBeGreaterThan(0);
    for (const name of reached) left.delete(name);
    reachedPoints.push(...reached);
    kills += 1;
  }
  expect(reachedPoints.sort()).toEqual([...pointNames].sort());
  expect(kills).toBeGreaterThanOrEqual(40);
  console.info(`${kills} processes died at ${reachedPoints.length} points:\n${reachedPoints.join("\n")}`);

  // One more process finishes what is left, and keeps running for 20 rounds on each chain: a second payment would
  // appear now.
  const rounds = startWork(standby.shift() ?? startProcess(connections), []);
  const ids = made.map(({ id }) => id);
  const haveEnded = async () => {
    const rows = await database.db.select().from(orders).where(inArray(orders.id, ids));
    const open = await database.db.select().from(payments).where(inArray(payments.orderId, ids));
    return (
      rows.every(({ status }) => status === "completed" || status === "cancelled") &&
      open.every(({ status }) => status === "confirmed")
    );
  };
  await until("the end of every order", haveEnded, patience);
  rounds.length = 0;
  const countOf = (asset: string) => rounds.filter((each) => each === asset).length;
  await until("more rounds of work", () => countOf("USDT") > 20 && countOf("MOB") > 20, patience);
  await expectPaidOnce(made);
  expect(await checkBooks(database.db)).toEqual([]);
}, 600_000);

/** What arrived on both chains is exactly what was owed: one payout or one refund, or both if overpaid. */
async function expectPaidOnce(made: OrderRow[]): Promise<void> {
  const owed = await database.db.select().from(payments);
  expect(owed).toHaveLength(made.length + 2);
  const client = createPublicClient({ transport: http(ethereum.rpcUrl) });
  const inOrder = (amounts: bigint[]) => amounts.sort((a, b) => (a < b ? -1 : 1)).map(String);
  const ofAsset = (asset: string) => owed.filter((payment) => payment.asset === asset);
  // Each address is owed one payment, so its balance tells how often it was paid.
  for (const { address, amount } of ofAsset("USDT")) {
    const balance = await client.readContract({
      address: ethereum.usdtAddress,
      abi: erc20Abi,
      functionName: "balanceOf",
      args: [address as `0x${string}`],
    });
    expect(balance, address).toBe(amount);
  }
  const received = mobilecoin.wallet().received.map(({ amount }) => amount);
  expect(inOrder(received)).toEqual(inOrder(ofAsset("MOB").map(({ amount }) => amount)));
}

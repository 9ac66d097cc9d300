import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBenchAccount } from "../bench/account";
import { unlimited } from "../support/environments";
import { freePort } from "../support/raw-http";
import { hasEnded, stopProcess } from "../support/stop-process";
import { until } from "../support/until";
import type { World } from "./inputs";

/** A period in which the event loop was blocked. `ownMs` excludes the time that its thread waited for a processor. */
export type Stall = { at: number; ms: number; ownMs: number };
export type Usage = { heapUsed: number; rss: number; maxDelayMs: number };

export type Target = {
  port: number;
  origin: string;
  /** Log lines that are not JSON, or that report an error. */
  badLines: string[];
  stalls: Stall[];
  /** Collects garbage first. Resolves with null once the site has exited. */
  readUsage(): Promise<Usage | null>;
  hasExited(): boolean;
  stop(): Promise<void>;
};

const environment = {
  NODE_ENV: "production" as const,
  LOG_LEVEL: "info",
  HOST: "127.0.0.1",
  ...unlimited,
  MAX_CONNECTIONS_PER_ADDRESS: "100000",
  SANDBOX_KYC_DELAY_MS: "0",
  SANDBOX_ETHEREUM_BLOCK_MS: "2000",
};

/**
 * Starts the built site as `npm start` does, with tests/fuzz/monitor.js in its process. Tests give it a data directory
 * with a migrated database. Their site is too short-lived for optimising the database's WebAssembly code to pay off.
 */
export async function startTarget(migrated?: string): Promise<Target> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const data = migrated ?? (await mkdtemp(join(tmpdir(), "antelope-fuzz-")));
  const options = ["--expose-gc", "--import", "./tests/fuzz/monitor.js", ...(migrated ? ["--liftoff-only"] : [])];
  const child = spawn(process.execPath, [...options, "build/server/server.js"], {
    env: { ...process.env, ...environment, PORT: String(port), ORIGIN: origin, DATA_DIR: data },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const badLines: string[] = [];
  const stalls: Stall[] = [];
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    readLines(stream, (line) => {
      if (output.length < 10_000) output += `${line}\n`;
      if (isBadLine(line)) badLines.push(line.slice(0, 500));
    });
  }
  child.on("message", (message: { stall?: Stall }) => {
    if (message.stall) stalls.push(message.stall);
  });
  const hasExited = () => hasEnded(child);
  const stop = async () => {
    await stopProcess(child);
    await rm(data, { recursive: true, force: true });
  };
  try {
    await waitUntilReady(origin, () => (hasExited() ? output : null));
  } catch (error) {
    await stop();
    throw error;
  }
  badLines.length = 0;
  stalls.length = 0;
  return { port, origin, badLines, stalls, hasExited, stop, readUsage: () => readUsage(child) };
}

/** Every line must be JSON, and no request from a client may cause an error in the log. */
function isBadLine(line: string): boolean {
  if (line === "") return false;
  try {
    const { level } = JSON.parse(line) as { level?: string };
    return level === "error" || level === "fatal";
  } catch {
    // What `npm start` prints once it is ready.
    return !line.startsWith("Antelope is ready at");
  }
}

function readLines(stream: NodeJS.ReadableStream | null, onLine: (line: string) => void): void {
  let rest = "";
  stream?.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  });
}

async function waitUntilReady(origin: string, findExit: () => string | null): Promise<void> {
  const acceptsSwaps = async () => {
    const exited = findExit();
    if (exited !== null) throw new Error(`The site exited: ${exited}`);
    const status = await fetch(`${origin}/api/status`).then(
      (response) => response.json() as Promise<{ accepting_swaps?: boolean }>,
      () => null,
    );
    return status?.accepting_swaps;
  };
  await until("the site to accept swaps", acceptsSwaps, { timeoutMs: 90_000, everyMs: 100 });
}

function readUsage(child: ChildProcess): Promise<Usage | null> {
  if (hasEnded(child)) return Promise.resolve(null);
  return new Promise((resolve) => {
    const finish = (usage: Usage | null) => {
      child.off("message", receive).off("exit", end);
      resolve(usage);
    };
    const receive = ({ usage }: { usage?: Usage }) => {
      if (usage) finish(usage);
    };
    const end = () => finish(null);
    child.on("message", receive).on("exit", end);
    // If the site has just exited, this fails, and the exit event follows.
    child.send("usage", () => undefined);
  });
}

let accounts = 0;

/** A new verified account with its session, two addresses, a quote and an order, for the inputs to name. */
export async function createWorld({ origin, port }: Target): Promise<World> {
  accounts += 1;
  const { email, token, cookie } = await createBenchAccount(origin, `fuzz-${accounts}@example.org`);
  const call = async (path: string, body?: unknown) => {
    const headers = {
      "Content-Type": "application/json",
      "X-Auth-Token": token,
      "Idempotency-Key": `fuzz-${accounts}`,
    };
    const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    // On a busy machine, the chains are sometimes late, and swaps are then not accepted.
    for (let attempt = 0; ; attempt += 1) {
      const response = await fetch(`${origin}${path}`, init);
      const result = (await response.json()) as Record<string, string>;
      if (response.ok) return result;
      if (response.status < 500 || attempt > 100) throw new Error(`${path}: ${JSON.stringify(result)}`);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  };
  const mob = (await call("/sandbox/mobilecoin/wallet")).address ?? "";
  const eth = `0x${Buffer.from(email.padEnd(20).slice(0, 20)).toString("hex")}`;
  const ethId = (await call("/api/swap/delivery-addresses", { type: "ETH", address: eth, label: "" })).id ?? "";
  const mobId = (await call("/api/swap/delivery-addresses", { type: "MOB", address: mob, label: "" })).id ?? "";
  const wanted = { source_asset_symbol: "USDT", target_asset_symbol: "MOB", source_amount: "20" };
  const locked = await call("/api/swap/quotes", wanted);
  const lock = { delivery_address_id: mobId, refund_address_id: ethId };
  const order = await call(`/api/swap/quotes/${locked.id}/lock`, lock);
  const quote = await call("/api/swap/quotes", wanted);
  const ids = [order.id ?? "", String(quote.id), String(locked.id), ethId, mobId];
  return { port, origin, token, cookie, email, addresses: [eth, mob], ids };
}

/** Whether the session of the account still works: some inputs sign out. */
export async function isSignedIn({ origin, token }: World): Promise<boolean> {
  return (await fetch(`${origin}/api/users/me`, { headers: { "X-Auth-Token": token } })).ok;
}

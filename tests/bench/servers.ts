import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../support/raw-http";

export type RunningServer = {
  origin: string;
  port: number;
  pid: number;
  /** From the start of the process until it said that it serves. */
  startedInMs: number;
  /** Processor time that it took, a build by a child included; of other work on this machine it knows nothing. */
  startedWithCpuMs: number;
  /** Highest resident memory of the process and its children together until then, in bytes. */
  peakBytes: number;
  stop(): Promise<void>;
};

/** So that limits meant for people do not end a measurement. */
const unlimited = {
  REQUESTS_PER_ADDRESS_PER_MINUTE: "1000000000",
  WRITES_PER_ACCOUNT_PER_MINUTE: "1000000000",
  CODES_PER_RECIPIENT_PER_10_MINUTES: "1000000000",
  CODES_PER_RECIPIENT_PER_DAY: "1000000000",
  CODES_PER_SENDER_PER_HOUR: "1000000000",
  SANDBOX_KYC_DELAY_MS: "0",
  SANDBOX_ETHEREUM_BLOCK_MS: "5000",
  LOG_LEVEL: "warn",
};

type Start = {
  args: string[];
  /** What the server writes when it serves. */
  saysWhenReady: RegExp;
  cwd?: string;
  env?: Record<string, string>;
  dataDir?: string;
};

/** Starts a server on a free loopback port with a data directory of its own, and waits until it serves. */
export async function startServer({ args, saysWhenReady, cwd, env, dataDir }: Start): Promise<RunningServer> {
  const port = await freePort();
  const data = dataDir ?? (await mkdtemp(join(tmpdir(), "antelope-bench-data-")));
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd,
    env: {
      ...process.env,
      ...unlimited,
      NODE_ENV: "production",
      PORT: String(port),
      ORIGIN: `http://localhost:${port}`,
      DATA_DIR: data,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const pid = child.pid ?? 0;
  let peakBytes = 0;
  const watch = setInterval(() => {
    void readTree(pid).then(({ bytes }) => {
      peakBytes = Math.max(peakBytes, bytes);
    });
  }, 100);
  try {
    await untilItSays(child, saysWhenReady, 180_000);
  } catch (error) {
    await end(child);
    throw error;
  } finally {
    clearInterval(watch);
  }
  const startedInMs = performance.now() - startedAt;
  return {
    origin: `http://localhost:${port}`,
    port,
    pid,
    startedInMs,
    startedWithCpuMs: (await readTree(pid)).cpuMs,
    peakBytes,
    async stop() {
      await end(child);
      if (!dataDir) await rm(data, { recursive: true, force: true });
    },
  };
}

/** The built site, as `npm start` runs it. */
export const startSite = (more: Partial<Start> = {}) =>
  startServer({ args: ["app/commands/start.js"], saysWhenReady: /Antelope is ready at/, ...more });

/** The same build under `remix-serve`. */
export const startRemixServe = () =>
  startServer({
    args: ["node_modules/@remix-run/serve/dist/cli.js", "build/server/index.js"],
    saysWhenReady: /\[remix-serve\] http/,
  });

function untilItSays(child: ChildProcess, words: RegExp, withinMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = "";
    const fail = (why: string) => reject(new Error(`The server ${why}: ${said.slice(-2_000)}`));
    const timer = setTimeout(fail, withinMs, `did not serve within ${withinMs} ms`);
    const read = (chunk: Buffer) => {
      said += chunk.toString();
      if (!words.test(said)) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("exit", (code) => fail(`ended with ${code}`));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 20_000);
  await ended;
  clearTimeout(timer);
}

export type Usage = {
  /** Resident memory. */
  bytes: number;
  /** Processor time spent so far, in ms. */
  cpuMs: number;
};

/** A process and all its descendants, from /proc; zeros where there is none (not on Linux). */
export async function readTree(pid: number): Promise<Usage> {
  const processes = new Map<number, { parent: number } & Usage>();
  for (const name of await readdir("/proc").catch(() => [])) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => null);
    if (stat === null) continue;
    // The name in brackets may hold anything; the fields after it are numbers (proc_pid_stat(5)).
    const fields = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const [parent = 0, pages = 0] = [fields[1], fields[21]];
    // Its own, and that of children that ended: user and system, in hundredths of a second.
    const ticks = fields.slice(11, 15).reduce((sum, part) => sum + part, 0);
    processes.set(Number(name), { parent, bytes: pages * 4_096, cpuMs: ticks * 10 });
  }
  const total = { bytes: 0, cpuMs: 0 };
  for (const [id, usage] of processes) {
    let at = id;
    while (at !== pid && at > 1) at = processes.get(at)?.parent ?? 0;
    if (at !== pid) continue;
    total.bytes += usage.bytes;
    total.cpuMs += usage.cpuMs;
  }
  return total;
}

/** The same of one process alone. */
export async function readResident(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1_024;
}

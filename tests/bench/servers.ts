import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scripts } from "../../package.json";
import { unlimited } from "../support/environments";
import { freePort } from "../support/raw-http";
import { stopProcess } from "../support/stop-process";

export type RunningServer = {
  origin: string;
  port: number;
  pid: number;
  /** From the start of the process until it said that it is ready. */
  startMs: number;
  /** CPU time of the start, including a build in a child process. */
  startCpuMs: number;
  /** Peak resident memory of the process and its children during the start. */
  peakBytes: number;
  stop(): Promise<void>;
};

/** Settings under which no rate limit affects a measurement. */
const settings = {
  ...unlimited,
  SANDBOX_KYC_DELAY_MS: "0",
  SANDBOX_ETHEREUM_BLOCK_MS: "5000",
  LOG_LEVEL: "warn",
};

type Start = {
  args: string[];
  /** Matches the server's output once it is ready. */
  readyOutput: RegExp;
  cwd?: string;
  env?: Record<string, string>;
  dataDir?: string;
};

/** Starts a server on a free port with its own data directory, and waits until it is ready. */
export async function startServer({ args, readyOutput, cwd, env, dataDir }: Start): Promise<RunningServer> {
  const port = await freePort();
  const data = dataDir ?? (await mkdtemp(join(tmpdir(), "antelope-bench-data-")));
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd,
    env: {
      ...process.env,
      ...settings,
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
    await waitForOutput(child, readyOutput, 180_000);
  } catch (error) {
    await stopProcess(child);
    throw error;
  } finally {
    clearInterval(watch);
  }
  const startMs = performance.now() - startedAt;
  return {
    origin: `http://localhost:${port}`,
    port,
    pid,
    startMs,
    startCpuMs: (await readTree(pid)).cpuMs,
    peakBytes,
    async stop() {
      await stopProcess(child);
      if (!dataDir) await rm(data, { recursive: true, force: true });
    },
  };
}

/** The built site, with the arguments of `npm start`. */
export const startSite = (more: Partial<Start> = {}) =>
  startServer({ args: scripts.start.split(" ").slice(1), readyOutput: /Antelope is ready at/, ...more });

/** The same build under `remix-serve`. */
export const startRemixServe = () =>
  startServer({
    args: ["node_modules/@remix-run/serve/dist/cli.js", "build/server/index.js"],
    readyOutput: /\[remix-serve\] http/,
  });

function waitForOutput(child: ChildProcess, expected: RegExp, withinMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = "";
    const fail = (problem: string) => reject(new Error(`The server ${problem}: ${output.slice(-2_000)}`));
    const timer = setTimeout(fail, withinMs, `was not ready within ${withinMs} ms`);
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (!expected.test(output)) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("exit", (code) => fail(`exited with code ${code}`));
  });
}

export type Usage = {
  /** Resident memory. */
  bytes: number;
  /** CPU time so far. */
  cpuMs: number;
};

/** Usage of a process and its descendants, from /proc. Zero on systems other than Linux. */
export async function readTree(pid: number): Promise<Usage> {
  const processes = new Map<number, { parent: number } & Usage>();
  for (const name of await readdir("/proc").catch(() => [])) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => null);
    if (stat === null) continue;
    // The command's name, in parentheses, may contain anything; numbers follow it (proc_pid_stat(5)).
    const fields = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const [parent = 0, pages = 0] = [fields[1], fields[21]];
    // User and system time of the process and its exited children, in hundredths of a second.
    const ticks = fields.slice(11, 15).reduce((sum, part) => sum + part, 0);
    processes.set(Number(name), { parent, bytes: pages * 4_096, cpuMs: ticks * 10 });
  }
  const total = { bytes: 0, cpuMs: 0 };
  for (const [id, usage] of processes) {
    let ancestor = id;
    while (ancestor !== pid && ancestor > 1) ancestor = processes.get(ancestor)?.parent ?? 0;
    if (ancestor !== pid) continue;
    total.bytes += usage.bytes;
    total.cpuMs += usage.cpuMs;
  }
  return total;
}

/**
 * How long the main thread of a process ran, and how long it was ready but had no core, in ms. Zero on other systems.
 */
export async function readMainThread(pid: number): Promise<{ ranMs: number; waitedMs: number }> {
  const text = await readFile(`/proc/${pid}/task/${pid}/schedstat`, "utf8").catch(() => "0 0");
  const [ran = 0, waited = 0] = text.split(" ").map(Number);
  return { ranMs: ran / 1e6, waitedMs: waited / 1e6 };
}

/**
 * How often the system had no room for a new connection, since it started. Clients try again after a second or more.
 */
export async function readRefusedConnections(): Promise<number> {
  const lines = (await readFile("/proc/net/netstat", "utf8").catch(() => "")).split("\n");
  const [names = "", values = ""] = lines.filter((line) => line.startsWith("TcpExt:"));
  return Number(values.split(" ")[names.split(" ").indexOf("ListenOverflows")] ?? 0);
}

/** Resident memory of one process. */
export async function readResident(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1_024;
}

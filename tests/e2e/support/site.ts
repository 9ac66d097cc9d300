/**
 * The built site as `npm start` runs it: `node build/server/server.js` in production mode, with its own port
 * and data directory. A test can kill the process and boot it again on the same data.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort } from "../../support/raw-http";
import { hasEnded } from "../../support/stop-process";
import { until } from "../../support/until";
import type { SiteAccount } from "./accounts";

export type SiteEnv = Record<string, string>;

/** The directory of the build to test. Set E2E_SITE_ROOT to test a copy while you build again. */
const root = resolve(process.env.E2E_SITE_ROOT ?? ".");
const startTimeoutMs = 240_000;
const stopTimeoutMs = 20_000;

/** The accounts in a data directory made by prepare.ts. */
export const accountsFile = "accounts.json";

/**
 * No limits per sender, because all tests share one address. The exception is the limit on messages, which a scene
 * shows. An account may have many open orders, and customers can write to us. Chains and the KYC reviewer are fast.
 * Accounts are created before the tests, so their sessions last as long as a slow run.
 */
const defaultEnv: SiteEnv = {
  NODE_ENV: "production",
  LOG_LEVEL: "info",
  REQUESTS_PER_ADDRESS_PER_MINUTE: "100000",
  CODES_PER_SENDER_PER_HOUR: "100000",
  ACCESS_TOKEN_TTL_MS: "7200000",
  SESSION_IDLE_MS: "7200000",
  PASSKEY_FRESH_MS: "7200000",
  MAX_WAITING_ORDERS: "50",
  SUPPORT_EMAIL: "help@antelope.example",
  SANDBOX_KYC_DELAY_MS: "100",
  // Shorter intervals would keep the processor busy, which is the bottleneck of the tests.
  SANDBOX_ETHEREUM_BLOCK_MS: "250",
  SANDBOX_MOBILECOIN_BLOCK_MS: "100",
  SCAN_ETHEREUM_MS: "250",
  SCAN_MOBILECOIN_MS: "250",
  DRAIN_MS: "2000",
};

/**
 * With the memory settings of `npm start`. A site in the tests is too short-lived for optimising the
 * database's WebAssembly code to pay off.
 */
const defaultArgs = ["--max-semi-space-size=64", "--v8-pool-size=1", "--liftoff-only", "build/server/server.js"];

export class Site {
  readonly origin: string;
  #child: ChildProcess | null = null;
  #output = "";
  /** Verified accounts that no test uses yet. */
  readonly accounts: SiteAccount[] = [];

  private constructor(
    readonly port: number,
    readonly dataDir: string,
    readonly env: SiteEnv,
    readonly args: readonly string[],
  ) {
    this.origin = `http://localhost:${port}`;
  }

  static async start(env: SiteEnv = {}, args: readonly string[] = defaultArgs): Promise<Site> {
    const dataDir = mkdtempSync(join(tmpdir(), "antelope-e2e-"));
    const site = new Site(await freePort(), dataDir, env, args);
    if (process.env.E2E_DATA_TEMPLATE && !env.DATABASE_URL) site.#copyData(process.env.E2E_DATA_TEMPLATE);
    try {
      await site.boot();
    } catch (error) {
      // The caller doesn't get a site that it could stop.
      await site.stop();
      throw error;
    }
    return site;
  }

  #copyData(template: string): void {
    cpSync(template, this.dataDir, { recursive: true });
    this.accounts.push(...(JSON.parse(readFileSync(join(template, accountsFile), "utf8")) as SiteAccount[]));
  }

  /** Everything the process wrote: its log, one JSON object per line. */
  get output(): string {
    return this.#output;
  }

  async boot(): Promise<void> {
    const child = spawn(process.execPath, this.args, {
      cwd: root,
      env: {
        ...process.env,
        ...defaultEnv,
        PORT: String(this.port),
        HOST: "127.0.0.1",
        ORIGIN: this.origin,
        DATA_DIR: this.dataDir,
        ...this.env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    // Playwright ends a worker without the rest of its tests if the run is interrupted.
    const endWithWorker = () => child.kill("SIGKILL");
    process.once("exit", endWithWorker);
    child.once("exit", () => process.off("exit", endWithWorker));
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        this.#output += chunk.toString();
      });
    }
    await this.#waitUntilReady(child);
  }

  async #waitUntilReady(child: ChildProcess): Promise<void> {
    await until(
      () => `the site to accept swaps: ${this.#output.slice(-2_000)}`,
      async () => {
        if (hasEnded(child)) throw new Error(`The site has ended: ${this.#output.slice(-2_000)}`);
        return this.#acceptsSwaps();
      },
      { timeoutMs: startTimeoutMs, everyMs: 100 },
    );
  }

  async #acceptsSwaps(): Promise<boolean> {
    try {
      const response = await fetch(`${this.origin}/api/status`, { signal: AbortSignal.timeout(5_000) });
      return response.ok && ((await response.json()) as { accepting_swaps: boolean }).accepting_swaps;
    } catch {
      return false;
    }
  }

  /** Pauses the process, so that it doesn't use processor time. Its anvil keeps running, but does not mine. */
  pause(): void {
    this.#child?.kill("SIGSTOP");
  }

  /**
   * Lets a paused process continue. Its rate may have become too old in the meantime, so this resolves once it accepts
   * swaps.
   */
  async resume(): Promise<void> {
    const child = this.#child;
    if (!child?.kill("SIGCONT")) throw new Error(`The paused site has ended: ${this.#output.slice(-2_000)}`);
    await this.#waitUntilReady(child);
  }

  /** kill -9: nothing is flushed or cleaned up. anvil's watchdog stops anvil. */
  async kill(): Promise<void> {
    this.#child?.kill("SIGKILL");
    await this.#ended();
  }

  /**
   * Stops the site with SIGTERM, after a timeout with SIGKILL, and keeps its data. Rejects if its anvil is still
   * running.
   */
  async shutDown(): Promise<void> {
    const child = this.#child;
    if (child && !hasEnded(child)) {
      child.kill("SIGTERM");
      // A paused process would not notice the signal.
      child.kill("SIGCONT");
      const timer = setTimeout(() => child.kill("SIGKILL"), stopTimeoutMs);
      await this.#ended();
      clearTimeout(timer);
    }
    const left = this.listAnvils();
    for (const pid of left) process.kill(pid, "SIGKILL");
    if (left.length > 0) throw new Error(`${left.length} anvil processes outlived the site`);
  }

  /** Stops the site and deletes its data. */
  async stop(): Promise<void> {
    try {
      await this.shutDown();
    } finally {
      rmSync(this.dataDir, { recursive: true, force: true });
    }
  }

  #ended(): Promise<void> {
    const child = this.#child;
    return new Promise((resolve) => {
      if (!child || hasEnded(child)) resolve();
      else child.once("exit", () => resolve());
    });
  }

  /** Process ids of the anvils that use this data directory. */
  listAnvils(): number[] {
    return listProcesses()
      .filter(({ command }) => command.includes("anvil") && command.includes(`${this.dataDir}/`))
      .map(({ pid }) => pid);
  }
}

/** Reads /proc on Linux, where `ps` may be missing, and runs `ps` elsewhere. */
function listProcesses(): { pid: number; command: string }[] {
  if (existsSync("/proc/self/cmdline")) {
    const pids = readdirSync("/proc").filter((name) => /^[0-9]+$/.test(name));
    return pids.map((pid) => ({ pid: Number(pid), command: readCommand(pid) }));
  }
  const lines = execFileSync("ps", ["-axww", "-o", "pid=,command="], { encoding: "utf8" }).trim().split("\n");
  return lines.map((line) => {
    const [pid = "", ...command] = line.trim().split(/\s+/);
    return { pid: Number(pid), command: command.join(" ") };
  });
}

function readCommand(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

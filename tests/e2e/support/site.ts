/**
 * The built site as `npm start` runs it: `node build/server/server.js` in production mode, on
 * a free port and a data directory of its own. One object outlives its process, so that a
 * test can kill the server and start it again on what it left.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort } from "../../support/raw-http";

export type SiteEnv = Record<string, string>;

/** Where the build is that is tested. Another one can be named, so that a build may be made meanwhile. */
const root = resolve(process.env.E2E_SITE_ROOT ?? ".");
const startPatienceMs = 90_000;
const stopPatienceMs = 20_000;

/** One machine plays every visitor here, so what is counted by sender must not stop it. */
const usualEnv: SiteEnv = {
  NODE_ENV: "production",
  LOG_LEVEL: "info",
  REQUESTS_PER_ADDRESS_PER_MINUTE: "100000",
  CODES_PER_SENDER_PER_HOUR: "100000",
  SANDBOX_KYC_DELAY_MS: "1000",
  DRAIN_MS: "2000",
};

const usualArgs = ["build/server/server.js"];

export class Site {
  readonly origin: string;
  #child: ChildProcess | null = null;
  #output = "";

  private constructor(
    readonly port: number,
    readonly dataDir: string,
    readonly env: SiteEnv,
    readonly args: readonly string[],
  ) {
    this.origin = `http://localhost:${port}`;
  }

  static async start(env: SiteEnv = {}, args: readonly string[] = usualArgs): Promise<Site> {
    const site = new Site(await freePort(), mkdtempSync(join(tmpdir(), "antelope-e2e-")), env, args);
    try {
      await site.boot();
    } catch (error) {
      // Nobody else knows of this process.
      await site.stop();
      throw error;
    }
    return site;
  }

  /** Everything the process wrote: its log, a JSON object a line. */
  get output(): string {
    return this.#output;
  }

  async boot(): Promise<void> {
    const child = spawn(process.execPath, this.args, {
      cwd: root,
      env: {
        ...process.env,
        ...usualEnv,
        PORT: String(this.port),
        HOST: "127.0.0.1",
        ORIGIN: this.origin,
        DATA_DIR: this.dataDir,
        ...this.env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        this.#output += chunk.toString();
      });
    }
    await until(
      async () => {
        if (child.exitCode !== null) throw new Error(`The site ended by itself: ${this.#output.slice(-2_000)}`);
        return this.#acceptsSwaps();
      },
      startPatienceMs,
      () => `the site to take swaps: ${this.#output.slice(-2_000)}`,
    );
  }

  async #acceptsSwaps(): Promise<boolean> {
    try {
      const answer = await fetch(`${this.origin}/api/status`, { signal: AbortSignal.timeout(5_000) });
      return answer.ok && ((await answer.json()) as { accepting_swaps: boolean }).accepting_swaps;
    } catch {
      return false;
    }
  }

  /** kill -9: nothing is flushed, nothing is cleaned up, and anvil is left behind. */
  async kill(): Promise<void> {
    this.#child?.kill("SIGKILL");
    await this.#ended();
  }

  /** The polite stop, bounded. Rejects where an anvil of this directory outlived it. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (child && child.exitCode === null && child.signalCode === null) {
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), stopPatienceMs);
      await this.#ended();
      clearTimeout(timer);
    }
    const left = this.listAnvils();
    for (const pid of left) process.kill(pid, "SIGKILL");
    rmSync(this.dataDir, { recursive: true, force: true });
    if (left.length > 0) throw new Error(`${left.length} anvil outlived the site`);
  }

  #ended(): Promise<void> {
    const child = this.#child;
    return new Promise((resolve) => {
      if (!child || child.exitCode !== null || child.signalCode !== null) resolve();
      else child.once("exit", () => resolve());
    });
  }

  /** Pids of the anvils that run on this data directory. */
  listAnvils(): number[] {
    return listProcesses()
      .filter(({ command }) => command.includes("anvil") && command.includes(`${this.dataDir}/`))
      .map(({ pid }) => pid);
  }
}

/** Linux tells in /proc, where `ps` need not be installed; others by `ps`. */
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

/** Asks until it holds; the wait is bounded and says what it was for. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  ms: number,
  what: string | (() => string),
): Promise<void> {
  const end = Date.now() + ms;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Waited ${ms} ms in vain for ${typeof what === "string" ? what : what()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { prepareState } from "./anvil-state";
import { endProcess, readCommandLine } from "./processes";
import { callRpc } from "./rpc";

/** Sepolia's, so that wallets treat the sandbox as they treat the test network. */
export const sandboxChainId = 11_155_111;
/** Long, because the event loop may be busy with the database at the same time. */
const startPatienceMs = 60_000;
const stopPatienceMs = 5_000;

type Options = { dataDir: string; binary: string; log: Logger };
/** Kept in DATA_DIR/anvil.json: how the next start finds an anvil that outlived its site. */
type AnvilRecord = { pid: number; port: number; startedAt: string };

export type AnvilProcess = {
  readonly rpcUrl: string;
  readonly pid: number;
  isAlive(): boolean;
  /** Ends anvil and starts it again on the same port from its (shortened) state. */
  restart(): Promise<void>;
  /** Ends anvil; it writes its state first. */
  stop(): Promise<void>;
};

/**
 * The one anvil of a data directory. kill -9 of the site leaves anvil alive: an anvil that
 * still answers is adopted, one that does not is ended, so that there are never two chains.
 */
export async function openAnvil(options: Options): Promise<AnvilProcess> {
  const { dataDir, log } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const recordFile = join(dataDir, "anvil.json");
  const stateFile = toStateFile(dataDir);

  let record = await adoptOrEnd(recordFile, stateFile, log);
  record ??= await start(options, recordFile, await probePort(0));
  let current = record;

  return {
    rpcUrl: toUrl(current.port),
    get pid() {
      return current.pid;
    },
    isAlive: () => isOurs(current, stateFile),
    async restart() {
      await endProcess(current.pid, () => isOurs(current, stateFile), stopPatienceMs);
      await waitUntilFree(current.port);
      current = await start(options, recordFile, current.port);
    },
    async stop() {
      await endProcess(current.pid, () => isOurs(current, stateFile), stopPatienceMs);
      rmSync(recordFile, { force: true });
    },
  };
}

async function adoptOrEnd(recordFile: string, stateFile: string, log: Logger): Promise<AnvilRecord | null> {
  const record = readRecord(recordFile);
  // A pid may belong to somebody else by now; only an anvil on our state and port is ours to touch.
  if (!record || !isOurs(record, stateFile)) return null;
  if (await answers(record.port)) {
    log.info({ pid: record.pid, port: record.port }, "adopted the anvil that an earlier start left running");
    return record;
  }
  log.warn({ pid: record.pid }, "ending an anvil that no longer answers");
  await endProcess(record.pid, () => isOurs(record, stateFile), stopPatienceMs);
  return null;
}

async function start({ dataDir, binary, log }: Options, recordFile: string, port: number): Promise<AnvilRecord> {
  const stateFile = toStateFile(dataDir);
  const found = prepareState(stateFile);
  if (found === "restored") log.warn("the chain's state was cut off; it goes on from the last good copy");
  if (found === "lost") log.error("the chain's state was unreadable and is put aside; the chain begins anew");

  const logFile = join(dataDir, "anvil.log");
  const output = openSync(logFile, "w", 0o600);
  // A group of its own: Ctrl-C reaches the site alone, which ends anvil when it has drained.
  const child = spawn(binary, toArguments(stateFile, port), { detached: true, stdio: ["ignore", output, output] });
  closeSync(output);
  let failure: Error | null = null;
  child.once("error", (error) => {
    failure = error;
  });
  child.unref();
  if (child.pid !== undefined) {
    const record = { pid: child.pid, port, startedAt: new Date().toISOString() };
    // Before it is known to work: whatever happens from here, the next start finds it.
    writeFileSync(`${recordFile}.new`, JSON.stringify(record), { mode: 0o600 });
    renameSync(`${recordFile}.new`, recordFile);
    for (const deadline = Date.now() + startPatienceMs; Date.now() < deadline && child.exitCode === null; ) {
      if (await answers(port)) return record;
      await sleep(25);
    }
    child.kill("SIGKILL");
  } else {
    await sleep(0);
  }
  const words = readFileSync(logFile, "utf8").trim().slice(-500);
  throw new Error(`The sandbox's Ethereum chain cannot start: ${binary} does not run here. ${words}`.trim(), {
    cause: failure,
  });
}

function toArguments(stateFile: string, port: number): string[] {
  return [
    ...["--host", "127.0.0.1", "--port", String(port), "--chain-id", String(sandboxChainId)],
    ...["--state", stateFile, "--state-interval", "1"],
    // Blocks come from miner.ts, and nobody's account is unlocked.
    ...["--no-mining", "--order", "fifo", "--accounts", "0", "--no-cors", "--quiet"],
    // Cancun: later forks write a block hash into storage with every block, which never stops growing.
    ...["--hardfork", "cancun", "--prune-history", "128", "--threads", "2"],
  ];
}

function isOurs(record: AnvilRecord, stateFile: string): boolean {
  const command = readCommandLine(record.pid);
  return command?.includes(`--port ${record.port} `) === true && command.includes(`--state ${stateFile}`);
}

async function answers(port: number): Promise<boolean> {
  try {
    const chainId = await callRpc(toUrl(port), "eth_chainId", [], 2_000);
    return Number(chainId) === sandboxChainId;
  } catch {
    return false;
  }
}

function readRecord(file: string): AnvilRecord | null {
  try {
    const record = JSON.parse(readFileSync(file, "utf8")) as AnvilRecord;
    return Number.isInteger(record.pid) && record.pid > 1 && Number.isInteger(record.port) ? record : null;
  } catch {
    return null;
  }
}

function toStateFile(dataDir: string): string {
  return join(dataDir, "anvil-state.json");
}

function toUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** A port that nobody listens on: the given one, or any for 0. Rejects where that is taken. */
function probePort(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address ? resolve(address.port) : reject(new Error("no free port")),
      );
    });
  });
}

/** A process has no command line any more a moment before its sockets are closed. */
async function waitUntilFree(port: number): Promise<void> {
  for (const deadline = Date.now() + stopPatienceMs; Date.now() < deadline; await sleep(20)) {
    const isFree = await probePort(port).then(
      () => true,
      () => false,
    );
    if (isFree) return;
  }
}

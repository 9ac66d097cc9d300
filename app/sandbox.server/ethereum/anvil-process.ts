import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { sandboxNetworks } from "../../lib/constants";
import { StartupError } from "../../lib/startup-error";
import { prepareState } from "./anvil-state";
import { readCommandLine, terminateProcess } from "./processes";
import { callRpc } from "./rpc";

/** Sepolia's chain id, so that wallets treat the sandbox like the test network. */
export const sandboxChainId = sandboxNetworks.USDT;
/** Long, because the event loop may be busy opening the database. */
const startTimeoutMs = 60_000;
const stopTimeoutMs = 5_000;

/** anvil ended before it responded: it cannot run here, or its port is taken. */
class AnvilExitedError extends StartupError {}

type Options = { dataDir: string; binary: string; log: Logger };
/** DATA_DIR/ethereum/anvil.json: how the next start finds an anvil that is still running. */
type AnvilRecord = { pid: number; port: number; startedAt: string };

export type AnvilProcess = {
  readonly rpcUrl: string;
  readonly pid: number;
  isAlive(): boolean;
  /** Stops anvil and starts it again on the same port from its shortened state. */
  restart(): Promise<void>;
  /** Stops anvil, which writes its state before it exits. */
  stop(): Promise<void>;
};

/**
 * Starts the only anvil of a data directory. A watchdog stops anvil when the site dies, even
 * by kill -9. An anvil that is still running here (the watchdog is about to stop it, or was
 * killed too) is stopped before the new one starts, so there are never two chains.
 */
export async function openAnvil(options: Options): Promise<AnvilProcess> {
  const { dataDir, log } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const recordFile = join(dataDir, "anvil.json");
  const stateFile = toStateFile(dataDir);

  await stopLeftover(recordFile, stateFile, log);
  const startOnFreePort = async () => start(options, recordFile, await probePort(0));
  let current = await startOnFreePort().catch((error: unknown) => {
    if (!(error instanceof AnvilExitedError)) throw error;
    // Perhaps another program has taken the port since it was probed.
    log.warn({ err: error }, "anvil exited when it was started; trying once more on another port");
    return startOnFreePort();
  });

  return {
    rpcUrl: toUrl(current.port),
    get pid() {
      return current.pid;
    },
    isAlive: () => isOurs(current, stateFile),
    async restart() {
      await terminateProcess(current.pid, () => isOurs(current, stateFile), stopTimeoutMs);
      await waitUntilFree(current.port);
      current = await start(options, recordFile, current.port);
    },
    async stop() {
      await terminateProcess(current.pid, () => isOurs(current, stateFile), stopTimeoutMs);
      rmSync(recordFile, { force: true });
    },
  };
}

async function stopLeftover(recordFile: string, stateFile: string, log: Logger): Promise<void> {
  const record = readRecord(recordFile);
  // The pid may belong to another process by now: stop it only if it is an anvil on our state and port.
  if (!record || !isOurs(record, stateFile)) return;
  log.warn({ pid: record.pid }, "stopping the anvil of an earlier start");
  await terminateProcess(record.pid, () => isOurs(record, stateFile), stopTimeoutMs);
}

async function start({ dataDir, binary, log }: Options, recordFile: string, port: number): Promise<AnvilRecord> {
  const stateFile = toStateFile(dataDir);
  const found = prepareState(stateFile);
  if (found === "restored") log.warn("the chain's state file was truncated; continuing from the last good copy");
  if (found === "lost") log.error("the chain's state file was unreadable and was renamed; starting a new chain");

  const logFile = join(dataDir, "anvil.log");
  const child = spawnWithWatchdog(binary, toArguments(stateFile, port), logFile);
  let failure: Error | null = null;
  let hasExited = false;
  child.once("error", (error) => {
    failure = error;
  });
  if (child.pid !== undefined) {
    const record = { pid: child.pid, port, startedAt: new Date().toISOString() };
    // Written before anvil is known to work, so that the next start finds it whatever happens here.
    writeFileSync(`${recordFile}.new`, JSON.stringify(record), { mode: 0o600 });
    renameSync(`${recordFile}.new`, recordFile);
    // If a signal has ended the process, for example after an illegal instruction, the exit code stays null.
    const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
    for (const deadline = Date.now() + startTimeoutMs; Date.now() < deadline && !hasEnded(); ) {
      if (await isAnswering(port)) return record;
      await sleep(25);
    }
    hasExited = hasEnded();
    child.kill("SIGKILL");
  } else if (failure === null) {
    await once(child, "error");
  }
  const output = readFileSync(logFile, "utf8").trim().slice(-500);
  const message = `The sandbox's Ethereum chain cannot start: ${binary} does not run here. Set ANVIL_PATH to one that does. ${output}`;
  throw new (hasExited ? AnvilExitedError : StartupError)(message.trim(), { cause: failure });
}

/**
 * `$1` is anvil's pid. File descriptor 3 is a pipe, and only the site holds its other end: reading ends when the site
 * has died, for whatever reason. anvil leads a process group that the watchdog belongs to, so its pid cannot be reused
 * while the watchdog runs.
 */
const watchdog = `
cat <&3 >/dev/null
kill -TERM "$1" 2>/dev/null || exit 0
for second in 1 2 3 4 5; do
  sleep 1
  kill -0 "$1" 2>/dev/null || exit 0
done
kill -KILL "$1"
`;

/** Leaves the watchdog in the background and becomes anvil, so that the child's pid is anvil's own. */
const launcher = `
watchdog=$1
shift
sh -c "$watchdog" antelope-watchdog "$$" 3<&3 </dev/null &
exec "$@" 3<&-
`;

/** Spawns anvil in a separate process group: Ctrl-C reaches only the site, which then stops anvil in an orderly way. */
function spawnWithWatchdog(binary: string, args: string[], logFile: string): ChildProcess {
  const output = openSync(logFile, "w", 0o600);
  try {
    // Windows has no `sh`. There, the next start stops a leftover anvil.
    const child =
      process.platform === "win32"
        ? spawn(binary, args, { detached: true, stdio: ["ignore", output, output] })
        : spawn("sh", ["-c", launcher, "antelope-launcher", watchdog, binary, ...args], {
            detached: true,
            stdio: ["ignore", output, output, "pipe"],
          });
    const pipe = child.stdio[3] as Socket | null | undefined;
    child.once("exit", () => pipe?.destroy());
    pipe?.unref();
    child.unref();
    return child;
  } finally {
    closeSync(output);
  }
}

function toArguments(stateFile: string, port: number): string[] {
  return [
    ...["--host", "127.0.0.1", "--port", String(port), "--chain-id", String(sandboxChainId)],
    ...["--state", stateFile, "--state-interval", "1"],
    // miner.ts mines the blocks, and anvil has no unlocked accounts.
    ...["--no-mining", "--order", "fifo", "--accounts", "0", "--no-cors", "--quiet"],
    // Cancun: later forks write a block hash into storage with every block, so the state would grow forever.
    ...["--hardfork", "cancun", "--prune-history", "128", "--threads", "2"],
  ];
}

function isOurs(record: AnvilRecord, stateFile: string): boolean {
  const command = readCommandLine(record.pid);
  return command !== null && isAnvilCommand(record.port, stateFile, command);
}

/** Whether this is the command line of an anvil on our port and state. Windows quotes a path with spaces. */
export function isAnvilCommand(port: number, stateFile: string, command: string): boolean {
  const unquoted = command.replaceAll('"', "");
  return unquoted.includes(`--port ${port} `) && unquoted.includes(`--state ${stateFile}`);
}

async function isAnswering(port: number): Promise<boolean> {
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

/** Returns a free port: `port` itself, or any port for 0. Rejects if `port` is taken. */
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

/** A process loses its command line shortly before its sockets are closed. */
async function waitUntilFree(port: number): Promise<void> {
  for (const deadline = Date.now() + stopTimeoutMs; Date.now() < deadline; await sleep(20)) {
    const isFree = await probePort(port).then(
      () => true,
      () => false,
    );
    if (isFree) return;
  }
}

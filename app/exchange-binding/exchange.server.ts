/**
 * Starts and stops the exchange: embedded in this process, or a remote one if API_URL is set. Nothing
 * starts at import. The first call starts it, and it survives hot reloads.
 */
import type { Logger } from "pino";
import { type Config, getConfig } from "../config/config.server";
import { getLog } from "../config/log.server";
import { type DirectoryLock, lockDirectory } from "../exchange.server/db/lock-directory";
import type { ConnectExternal } from "../exchange.server/index";
import { SharedLimits } from "../exchange.server/limits/shared-limits";
import { StartupError } from "../lib/startup-error";
import type { Exchange } from "./exchange";
import { connectRemoteExchange } from "./remote-exchange.server";
import { requireSameMode } from "./require-same-mode.server";

type Running = { exchange: Promise<Exchange>; ready: boolean };
const cached = globalThis as typeof globalThis & {
  __antelopeExchange?: Running;
  __antelopeLimits?: SharedLimits;
  __antelopeLock?: DirectoryLock;
  __antelopeHandlesSignals?: boolean;
  __antelopeHasServer?: boolean;
};

/** How long a stop waits for a start, which may itself wait for another process that migrates the database. */
const maxStartMs = 10_000;
const giveUp = () => new Promise<null>((resolve) => setTimeout(resolve, maxStartMs, null));

/** The exchange, started with its workers at the first call. */
export function getExchange(): Promise<Exchange> {
  if (!cached.__antelopeExchange) {
    const running: Running = { exchange: start(getConfig(), getLog()), ready: false };
    cached.__antelopeExchange = running;
    running.exchange.then(
      () => {
        running.ready = true;
      },
      () => {
        // The next call tries again, unless the process is stopping.
        if (cached.__antelopeExchange === running) cached.__antelopeExchange = undefined;
      },
    );
  }
  return cached.__antelopeExchange.exchange;
}

/** The limits of the exchange and of the site, which this process shares with others. */
export function getSharedLimits(): SharedLimits {
  cached.__antelopeLimits ??= new SharedLimits(getConfig().exchange.secret);
  return cached.__antelopeLimits;
}

/** Whether the exchange has started. */
export function isExchangeReady(): boolean {
  return cached.__antelopeExchange?.ready === true;
}

/**
 * Stops the workers, closes the database and unlocks the data directory. From now on `getExchange` rejects: a request
 * that is still running must not start another exchange.
 */
export async function stopExchange(): Promise<void> {
  const running = cached.__antelopeExchange;
  const stopping = Promise.reject<Exchange>(new Error("the exchange is stopping"));
  stopping.catch(() => undefined);
  cached.__antelopeExchange = { exchange: stopping, ready: false };
  const started = running?.exchange.catch(() => null);
  // The sandbox's start is always waited for: its chains must not outlive the process.
  const exchange = await (getConfig().hasSandbox ? started : Promise.race([started, giveUp()]));
  try {
    await exchange?.workers.stop();
    await exchange?.close();
  } finally {
    cached.__antelopeLock?.release();
    cached.__antelopeLock = undefined;
  }
}

/** Locks DATA_DIR in the sandbox, whose chains and embedded database are in it. @throws DirectoryLockedError */
export function lockDataDirectory(config: Config): void {
  if (!config.hasSandbox || cached.__antelopeLock) return;
  const lock = lockDirectory(config.dataDir);
  cached.__antelopeLock = lock;
  process.once("exit", () => lock.release());
}

/** For server.ts, which finishes open requests first and then calls `stopExchange`. Only it may serve live mode. */
export function disableSignalHandling(): void {
  cached.__antelopeHandlesSignals = true;
  cached.__antelopeHasServer = true;
}

/**
 * In development and under remix-serve, stops the exchange at the first signal and then raises the
 * signal again for other listeners or the default action.
 */
function stopAtSignals(): void {
  if (cached.__antelopeHandlesSignals) return;
  cached.__antelopeHandlesSignals = true;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      stopExchange()
        .catch((error: unknown) => getLog().error({ err: error }, "The exchange did not stop cleanly"))
        .finally(() => process.kill(process.pid, signal));
    });
  }
}

/**
 * Refuses live mode without server.ts, as under remix-serve: the Host header and the size of requests are not checked
 * (T7, T14), and without the visitor's address, limits per network don't apply (T23, T25).
 */
function requireServer({ mode }: Config): void {
  if (mode === "sandbox" || cached.__antelopeHasServer) return;
  throw new StartupError(
    "Live mode needs the server of npm start: remix-serve and the development server don't limit requests.",
  );
}

async function start(config: Config, log: Logger): Promise<Exchange> {
  requireServer(config);
  if (config.apiUrl !== null) {
    const remote = connectRemoteExchange(config.apiUrl);
    await requireSameMode(remote, config, log);
    return remote;
  }
  lockDataDirectory(config);
  const { bootExchange } = await import("../exchange.server/index");
  const exchange = await bootExchange(config, log, connectExternal, getSharedLimits());
  try {
    await exchange.workers.start();
  } catch (error) {
    await exchange.close();
    throw error;
  }
  stopAtSignals();
  return exchange;
}

/** The sandbox's code is loaded only in sandbox mode. */
const connectExternal: ConnectExternal = async (setup, log) =>
  setup.live === null
    ? (await import("../sandbox.server/sandbox")).startSandbox(setup, log)
    : (await import("../exchange.server/live")).connectLive(setup.live, setup, log);

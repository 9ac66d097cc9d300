/**
 * The site's one binding to the exchange: in this process, or by HTTP where API_URL is set.
 * Nothing boots at import; the first call does it, and what was booted outlives hot reloads.
 */
import type { Logger } from "pino";
import { type Config, getConfig } from "../config.server";
import { type DirectoryLock, lockDirectory } from "../exchange.server/db/lock";
import { getLog } from "../log.server";
import { type ApiClient, createApiClient } from "./client";

export type Exchange = {
  /** Answers a call of /api/*. `remoteAddress` is whom the limits per address count. */
  fetch(request: Request, env?: { remoteAddress?: string }): Promise<Response>;
  workers: { start(): Promise<void>; stop(): Promise<void> };
  /** Answers /sandbox/* calls; null in live mode. */
  sandbox: { fetch(request: Request): Promise<Response> } | null;
  close(): Promise<void>;
};

type Running = { exchange: Promise<Exchange>; ready: boolean };
const cached = globalThis as typeof globalThis & {
  __antelopeExchange?: Running;
  __antelopeLock?: DirectoryLock;
  __antelopeStopsItself?: boolean;
};

/** Boots the exchange and its workers at the first call; every call gets the same one. */
export function getExchange(): Promise<Exchange> {
  if (!cached.__antelopeExchange) {
    const running: Running = { exchange: start(getConfig(), getLog()), ready: false };
    cached.__antelopeExchange = running;
    running.exchange.then(
      () => {
        running.ready = true;
      },
      () => {
        // The next call tries again; whoever waits for this one hears of the failure.
        cached.__antelopeExchange = undefined;
      },
    );
  }
  return cached.__antelopeExchange.exchange;
}

/** The exchange answers without waiting for its boot. */
export function isExchangeReady(): boolean {
  return cached.__antelopeExchange?.ready === true;
}

/** server.ts ends requests under way before the exchange, and calls `stopExchange` itself. */
export function stopExchangeMyself(): void {
  cached.__antelopeStopsItself = true;
}

/**
 * In development and under remix-serve nobody else ends workers and chains: the first signal
 * does, and is then raised again for whoever else listens, or for the default.
 */
function stopAtSignals(): void {
  if (cached.__antelopeStopsItself) return;
  cached.__antelopeStopsItself = true;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      stopExchange()
        .catch((error: unknown) => getLog().error({ err: error }, "the exchange did not stop cleanly"))
        .finally(() => process.kill(process.pid, signal));
    });
  }
}

/** Stops workers, closes the database and gives the directory back. */
export async function stopExchange(): Promise<void> {
  const running = cached.__antelopeExchange;
  cached.__antelopeExchange = undefined;
  const exchange = await running?.exchange.catch(() => null);
  try {
    await exchange?.workers.stop();
    await exchange?.close();
  } finally {
    cached.__antelopeLock?.release();
    cached.__antelopeLock = undefined;
  }
}

/** Takes DATA_DIR where the embedded database lives in it. @throws DirectoryLockedError */
export function takeDataDirectory(config: Config): void {
  if (config.apiUrl !== null || config.databaseUrl !== null || cached.__antelopeLock) return;
  const lock = lockDirectory(config.dataDir);
  cached.__antelopeLock = lock;
  process.once("exit", () => lock.release());
}

/** How long the client waits between its attempts, in all: a loader must answer. */
const serverWaitBudgetMs = 2_000;

/** A client of the exchange for one request of the site. */
export function createExchangeClient(options: {
  accessToken: () => string | null;
  remoteAddress?: string;
  /** Of the browser that asks. */
  userAgent?: string;
  /** Stands between the client and the exchange; the session's refresh lives there. */
  intercept?: (send: (request: Request) => Promise<Response>) => (request: Request) => Promise<Response>;
  signal?: AbortSignal;
}): ApiClient {
  const send = async (request: Request) =>
    (await getExchange()).fetch(request, { remoteAddress: options.remoteAddress });
  return createApiClient({
    baseUrl: "http://exchange.invalid",
    fetch: options.intercept ? options.intercept(send) : send,
    accessToken: options.accessToken,
    userAgent: options.userAgent,
    waitBudgetMs: serverWaitBudgetMs,
    signal: options.signal,
  });
}

async function start(config: Config, log: Logger): Promise<Exchange> {
  if (config.apiUrl !== null) return connectExchange(config.apiUrl);
  takeDataDirectory(config);
  const { bootExchange } = await import("../exchange.server/index");
  const exchange = await bootExchange(config, log);
  await exchange.workers.start();
  stopAtSignals();
  return exchange;
}

/** Of a request these headers are handed on; a remote exchange sees nothing else of the browser. */
const handedOn = ["accept", "content-type", "idempotency-key", "last-event-id", "x-auth-token", "user-agent"];

/** Another server that speaks the contract. Redirects are not followed (T19). */
export function connectExchange(apiUrl: string): Exchange {
  const base = apiUrl.replace(/\/$/, "");
  return {
    async fetch(request, { remoteAddress } = {}) {
      const { pathname, search } = new URL(request.url);
      const headers = new Headers();
      for (const name of handedOn) {
        const value = request.headers.get(name);
        if (value !== null) headers.set(name, value);
      }
      // Whose limits count; a server that does not trust us (TRUST_PROXY) counts us instead.
      if (remoteAddress !== undefined) headers.set("X-Forwarded-For", remoteAddress);
      const init: RequestInit & { duplex?: "half" } = {
        method: request.method,
        headers,
        redirect: "error",
        signal: request.signal,
        ...(request.body && { body: request.body, duplex: "half" }),
      };
      const answer = await fetch(`${base}${pathname}${search}`, init);
      // What fetch has decoded is not encoded any more.
      const answered = new Headers(answer.headers);
      for (const name of ["content-encoding", "content-length", "transfer-encoding", "connection", "set-cookie"]) {
        answered.delete(name);
      }
      return new Response(answer.body, { status: answer.status, headers: answered });
    },
    workers: { start: async () => undefined, stop: async () => undefined },
    sandbox: null,
    close: async () => undefined,
  };
}

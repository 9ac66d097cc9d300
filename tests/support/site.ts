/**
 * The site with a fake exchange, to test loaders and actions alone. Import it before anything that
 * reads the configuration.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import type { AppLoadContext } from "@remix-run/node";
import { expect, vi } from "vitest";
import type { User } from "~/api/contract";
import type { ClientInfo } from "~/exchange-binding/exchange";

// Nothing is stored there, because the secret is set and the exchange is a fake. Each worker has its own, because a
// test may lock it.
process.env.DATA_DIR = join(tmpdir(), `antelope-unused-${process.pid}-${threadId}`);
process.env.SESSION_SECRET = "kR7v0yQ2mZ9xT4wB6nL1pD8sF3hJ5gC_";
process.env.PORT = "3000";
process.env.LOG_LEVEL = "silent";

export const origin = "http://localhost:3000";

type Handler = (request: Request, body: unknown) => Response | Promise<Response>;

/**
 * Replaces the exchange. `calls` records "METHOD /path", the token and the body of each request; `clients` records what
 * came along with it.
 */
export function fakeExchange(handlers: Record<string, Handler>) {
  const calls: { call: string; token: string | null; body: unknown }[] = [];
  const clients: ClientInfo[] = [];
  const exchange = {
    async fetch(request: Request, client: ClientInfo = {}): Promise<Response> {
      clients.push(client);
      const { pathname } = new URL(request.url);
      const call = `${request.method} ${pathname}`;
      const text = await request.text();
      const body: unknown = text === "" ? null : JSON.parse(text);
      calls.push({ call, token: request.headers.get("X-Auth-Token"), body });
      const handler = handlers[call];
      if (!handler) return Response.json({ detail: { message: "Not found.", code: "not_found" } }, { status: 404 });
      return handler(request, body);
    },
    workers: { start: async () => undefined, stop: async () => undefined },
    sandbox: null,
    close: async () => undefined,
  };
  vi.stubGlobal("__antelopeExchange", { exchange: Promise.resolve(exchange), ready: true });
  return { calls, clients, count: (call: string) => calls.filter((made) => made.call === call).length };
}

export const refusal = (status: number, code: string, message: string, headers?: HeadersInit) =>
  Response.json({ detail: { message, code } }, { status, headers });

/** What an action throws if the exchange cannot be reached: an error with a status, so that the page stays open. */
export const exchangeUnreachable = expect.objectContaining({
  data: { message: "The exchange could not be reached." },
  init: { status: 503 },
});

/**
 * Runs `work` with immediate retries (C11): waits of up to a second are skipped. Other tests cover the waits.
 */
export async function withoutRetryWaits<T>(work: () => Promise<T>): Promise<T> {
  const wait = setTimeout;
  const spy = vi
    .spyOn(globalThis, "setTimeout")
    .mockImplementation(((run: () => void, ms = 0) => wait(run, ms > 1_000 ? ms : 0)) as typeof setTimeout);
  try {
    return await work();
  } finally {
    spy.mockRestore();
  }
}

export function makeUser(changes: Partial<User> = {}): User {
  return {
    id: "u1",
    email: "ada@example.org",
    email_verified: true,
    created_at: "2026-01-01T00:00:00.000Z",
    is_active: true,
    kyc_status: "approved",
    passkey_authenticated: true,
    ...changes,
  };
}

/** A Cookie header with a signed session. */
export async function sessionCookie(session: { access?: string; refresh?: string | null; passkey?: boolean } = {}) {
  const { getSiteCookies } = await import("~/session/cookies.server");
  const value = { access: "access-1", refresh: "refresh-1", passkey: true, ...session };
  return (await getSiteCookies().session.serialize(value)).split(";", 1)[0] as string;
}

/** The session in the Set-Cookie headers: null if it was ended, undefined if it was not set. */
export async function readSession(headers: Headers): Promise<unknown> {
  const { getSiteCookies } = await import("~/session/cookies.server");
  const line = headers.getSetCookie().find((cookie) => cookie.startsWith("session="));
  if (!line) return undefined;
  return (await getSiteCookies().session.parse(line.split(";", 1)[0] ?? "")) || null;
}

export function args(
  path: string,
  options: { cookie?: string; form?: Record<string, string>; headers?: HeadersInit } = {},
) {
  const headers = new Headers(options.headers);
  if (options.cookie) headers.set("cookie", options.cookie);
  if (options.form && !headers.has("origin")) headers.set("origin", origin);
  const request = new Request(origin + path, {
    headers,
    ...(options.form && { method: "POST", body: new URLSearchParams(options.form) }),
  });
  return { request, params: {}, context: {} as AppLoadContext };
}

/** The Response that a loader or an action returns or throws. */
export async function responseOf(promise: Promise<unknown>): Promise<Response> {
  const outcome = await promise.catch((error: unknown) => error);
  if (outcome instanceof Response) return outcome;
  throw new Error(`Expected a Response, got ${JSON.stringify(outcome)} ${String(outcome)}`);
}

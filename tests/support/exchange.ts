import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import { expect } from "vitest";
import type { PasskeyOptions, Tokens, User } from "~/api/contract";
import type { ChainGateway } from "~/exchange.server/chains/gateway";
import type { ExchangeConfig, RunningContext } from "~/exchange.server/context";
import type { Clock } from "~/exchange.server/db/clock";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { type ApiOptions, createApi } from "~/exchange.server/http/app";
import { followApplications } from "~/exchange.server/kyc/follow-applications";
import { sendOutbox, stopOutbox } from "~/exchange.server/mail/outbox";
import type { AssetSymbol } from "~/lib/assets";
import { createSandboxInbox, type SandboxInbox } from "~/sandbox.server/inbox";
import { createSandboxReviewer } from "~/sandbox.server/reviewer";
import { TestAuthenticator } from "./authenticator";
import { createTestContext } from "./context";
import { findUndocumented, type OpenApi } from "./openapi";
import { application, type Backend, signUp } from "./sign-up";
import { testConfig } from "./test-config";
import { openTestDatabase, type TestDatabase } from "./test-database";

export { application };
export const testOrigin = testConfig.origin;

export type TestExchangeOptions = {
  /** The kind of a new database, or an open one, so that two exchanges share it. */
  database?: TestDatabase | OpenDatabase;
  config?: Partial<ExchangeConfig>;
  /** Other parts of the context to replace. */
  context?: Partial<Pick<RunningContext, "mail" | "kyc" | "rateSource" | "log">>;
  chains?: Partial<Record<AssetSymbol, ChainGateway>>;
  /** The clock of another exchange to share. Then use the other's `advance`. */
  clock?: Clock;
  api?: ApiOptions;
};

type CallOptions = {
  token?: string;
  body?: unknown;
  /** Sent unchanged instead of `body`. */
  rawBody?: string;
  headers?: Record<string, string>;
  remoteAddress?: string;
};
// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
export type ApiResponse<T = any> = { status: number; body: T; headers: Headers };

export type SignedUp = {
  email: string;
  token: string;
  refreshToken: string;
  authenticator: TestAuthenticator;
  user: User;
};

export type TestExchange = {
  ctx: RunningContext;
  database: OpenDatabase;
  inbox: SandboxInbox;
  /** Moves the exchange's clock forward. */
  advance(ms: number): void;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  api<T = any>(method: string, path: string, options?: CallOptions): Promise<ApiResponse<T>>;
  /** C09, C10: registers a passkey. With a token, it is added to that account. */
  register(
    email: string,
    options?: { token?: string; authenticator?: TestAuthenticator },
  ): Promise<ApiResponse<Tokens>>;
  /** C04: requests a code and reads it from the e-mail. */
  requestCode(email: string, token?: string): Promise<{ challengeId: string; code: string }>;
  /** C04, C05: signs in with a code. With the account's passkey token, it verifies the address. */
  signInByCode(email: string, token?: string): Promise<ApiResponse<Tokens>>;
  /** C06: a usernameless sign-in. With a token, in the browser that has it. */
  signInByPasskey(authenticator: TestAuthenticator, token?: string): Promise<ApiResponse<Tokens>>;
  /** A customer with a passkey, a verified address and, unless `kyc` is false, approved KYC. */
  signUp(email?: string, options?: { kyc?: boolean }): Promise<SignedUp>;
  close(): Promise<void>;
};

/** The API's description, which is the same for every exchange. */
let description: OpenApi | undefined;

function describeApi(app: ReturnType<typeof createApi>): OpenApi {
  const info = { title: "Antelope exchange", version: "1" };
  return app.getOpenAPI31Document({ openapi: "3.1.0", info }) as unknown as OpenApi;
}

/**
 * A whole exchange over fake chains and without workers, called through its API in process.
 * Accounts, sign-in, mail and identity checks are the real ones.
 */
export async function createTestExchange(options: TestExchangeOptions = {}): Promise<TestExchange> {
  const { database: wanted = "PGlite" } = options;
  const database = typeof wanted === "string" ? await openTestDatabase(wanted) : wanted;
  const { config, chains, clock } = options;
  const { ctx: base, advance } = createTestContext(database, { config, chains, ...(clock && { clock }) });
  const inbox = createSandboxInbox(base.db, base.clock);
  const ctx: RunningContext = {
    ...base,
    mail: inbox,
    kyc: createSandboxReviewer({ ...base, delayMs: 0, webhookSecret: "webhook secret of the tests" }),
    ...options.context,
  };
  const app = createApi(ctx, options.api);
  description ??= describeApi(app);
  const document = description;
  /** Reads a response, which must match the API's description. */
  const readDocumented = async (method: string, path: string, response: Response): Promise<ApiResponse> => {
    const text = await response.text();
    const isJson = response.headers.get("Content-Type")?.includes("json") === true;
    const { status, headers } = response;
    const read = { status, body: isJson && text ? JSON.parse(text) : text, headers };
    expect(findUndocumented(document, method, path, read)).toEqual([]);
    return read;
  };
  const backend: Backend = {
    origin: testOrigin,
    async fetch(request) {
      const response = await app.fetch(request);
      await readDocumented(request.method, new URL(request.url).pathname, response.clone());
      return response;
    },
    async readCode(email) {
      await sendOutbox(ctx);
      return (await inbox.list(email)).find(({ code }) => code !== null)?.code ?? "";
    },
    untilReviewed: () => followApplications(ctx),
  };
  let signedUp = 0;

  const exchange: TestExchange = {
    ctx,
    database,
    inbox,
    advance,
    async api(method, path, call = {}) {
      const headers = new Headers(call.headers);
      const text = call.rawBody ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
      if (text !== undefined && !headers.has("Content-Type")) headers.set("Content-Type", "application/json");
      if (call.token) headers.set("X-Auth-Token", call.token);
      const request = new Request(`${testOrigin}${path}`, { method, headers, ...(text ? { body: text } : {}) });
      return readDocumented(method, path, await app.fetch(request, { remoteAddress: call.remoteAddress }));
    },
    async register(email, { token, authenticator = new TestAuthenticator(testOrigin) } = {}) {
      const began = await exchange.api<PasskeyOptions>("POST", "/api/auth/passkey/register", {
        token,
        body: { identifier: email },
      });
      if (began.status !== 200) return began as unknown as ApiResponse<Tokens>;
      const attestation: RegistrationResponseJSON = authenticator.create(began.body.options as never);
      return exchange.api<Tokens>("POST", "/api/auth/passkey/register/verify", {
        token,
        body: { identifier: email, challenge_id: began.body.challenge_id, attestation },
      });
    },
    async requestCode(email, token) {
      const requested = await exchange.api("POST", "/api/auth", {
        token,
        body: { auth_method: "email", credentials: { identifier: email } },
      });
      expect(requested.status).toBe(202);
      return { challengeId: requested.body.challenge_id, code: await backend.readCode(email) };
    },
    async signInByCode(email, token) {
      const { challengeId, code } = await exchange.requestCode(email, token);
      return exchange.api<Tokens>("POST", "/api/auth", {
        token,
        body: { credentials: { challenge_id: challengeId, auth_data: { code } } },
      });
    },
    async signInByPasskey(authenticator, token) {
      const started = await exchange.api("POST", "/api/auth", { body: { auth_method: "passkey" } });
      return exchange.api<Tokens>("POST", "/api/auth", {
        token,
        body: {
          auth_method: "passkey",
          credentials: {
            challenge_id: started.body.challenge_id,
            auth_data: authenticator.get(started.body.challenge),
          },
        },
      });
    },
    async signUp(email, { kyc = true } = {}) {
      signedUp += 1;
      const address = email ?? `customer-${signedUp}@example.org`;
      const { api, tokens, authenticator } = await signUp(backend, address, { verified: kyc ? "identity" : "email" });
      const { access_token: token, refresh_token: refreshToken = "" } = tokens;
      return { email: address, token, refreshToken, authenticator, user: await api.getCurrentUser() };
    },
    async close() {
      await stopOutbox(ctx);
      await database.close();
    },
  };
  return exchange;
}

/**
 * The site's typed client for the exchange's API. It runs only on the server, where the tokens are.
 * The exchange's routes are in exchange.server/http; GET /api/openapi.json describes them.
 */
import { z } from "zod";
import type { AddressType } from "../lib/assets";
import { assetsRetries, userRetries } from "../lib/constants";
import { errorTexts } from "../lib/error-catalogue";
import * as contract from "./contract";
import { isApiError } from "./errors";
import { type Call, createTransport, type TransportOptions } from "./transport";

export type ApiClient = ReturnType<typeof createApiClient>;

/** A sign-in response without a required member (V08, V09). The message is from the error catalogue. */
export class SignInResponseError extends Error {
  constructor(text: typeof errorTexts.authServerError | typeof errorTexts.challengeMissing) {
    super(text);
    this.name = "SignInResponseError";
  }
}

type PageParams = { cursor?: string; limit?: number };

/**
 * Creates a client. Every method resolves with data checked against contract.ts, in which amounts are
 * decimal strings in the unit of the asset ("250.5"), rates are target per 1 source with 12 decimals, and
 * times are ISO 8601 in UTC.
 *
 * Every method rejects with ApiError (status 400 or more), ApiUnreachableError or ApiContractError; the
 * sign-in methods also with SignInResponseError.
 */
export function createApiClient(options: TransportOptions) {
  const { send, read } = createTransport(options);

  /** V09: 202 with `challenge_id` and `challenge`. @throws E07, E08 */
  async function startSignIn(json: unknown): Promise<contract.Challenge> {
    const response = await send({ method: "POST", path: "/api/auth", json });
    if (response.status !== 202) throw new SignInResponseError(errorTexts.authServerError);
    const parsed = contract.challengeSchema.safeParse(await response.json().catch(() => null));
    if (!parsed.success) throw new SignInResponseError(errorTexts.challengeMissing);
    return parsed.data;
  }

  /** C08, C09: WebAuthn options and the challenge they belong to. @throws E08 */
  async function readOptions(call: Call): Promise<contract.PasskeyOptions> {
    const parsed = contract.passkeyOptionsSchema.safeParse(await (await send(call)).json().catch(() => null));
    if (!parsed.success) throw new SignInResponseError(errorTexts.challengeMissing);
    return parsed.data;
  }

  /** V08: at least an access token. @throws E07 */
  async function readTokens(call: Call): Promise<contract.Tokens> {
    const parsed = contract.tokensSchema.safeParse(await (await send(call)).json().catch(() => null));
    if (!parsed.success) throw new SignInResponseError(errorTexts.authServerError);
    return parsed.data;
  }

  async function removeAt(path: string): Promise<void> {
    await send({ method: "DELETE", path });
  }

  const listOrders = (page: PageParams & { quote_id?: number } = {}) =>
    read(contract.pageSchema(contract.orderSchema), { path: "/api/swap/swaps", search: page });

  return {
    /** C02: the account of the access token. */
    getCurrentUser: () => read(contract.userSchema, { path: "/api/users/me", retries: userRetries }),
    /** C03: USDT and MOB with their networks and decimals. */
    getAssets: () => read(contract.assetsSchema, { path: "/api/swap/assets", retries: assetsRetries }),

    /** C04: sends a six-digit code to the e-mail address `identifier`. */
    startEmailSignIn: (identifier: string) => startSignIn({ auth_method: "email", credentials: { identifier } }),
    /** C05: exchanges the code for tokens. */
    completeEmailSignIn: (challengeId: string, code: string) =>
      readTokens({
        method: "POST",
        path: "/api/auth",
        json: { credentials: { challenge_id: challengeId, auth_data: { code } } },
      }),
    /** C06, first step: WebAuthn options for any passkey that the browser offers. */
    startPasskeySignIn: () => startSignIn({ auth_method: "passkey" }),
    /** C06, second step. `assertion` is an AuthenticationResponseJSON. */
    completePasskeySignIn: (challengeId: string, assertion: Record<string, unknown>) =>
      readTokens({
        method: "POST",
        path: "/api/auth",
        json: { auth_method: "passkey", credentials: { challenge_id: challengeId, auth_data: assertion } },
      }),
    /** C07: exchanges a refresh token for new tokens. */
    refresh: (refreshToken: string) =>
      readTokens({ method: "POST", path: "/api/auth/refresh", json: { refresh_token: refreshToken } }),
    /** C08: WebAuthn options for the passkeys of one account. */
    getPasskeyLoginOptions: (identifier: string) =>
      readOptions({ method: "POST", path: "/api/auth/passkey/login-options", json: { identifier } }),
    /** C09: WebAuthn options to register a passkey. */
    startPasskeyRegistration: (identifier: string) =>
      readOptions({ method: "POST", path: "/api/auth/passkey/register", json: { identifier } }),
    /** C10. `attestation` is a RegistrationResponseJSON. */
    completePasskeyRegistration: (identifier: string, challengeId: string, attestation: Record<string, unknown>) =>
      readTokens({
        method: "POST",
        path: "/api/auth/passkey/register/verify",
        json: { identifier, challenge_id: challengeId, attestation },
      }),
    /** Ends the session of the access token. */
    async logout(): Promise<void> {
      await send({ method: "POST", path: "/api/auth/logout", json: {} });
    },

    /** Rates, fee (in basis points), limits and deadlines, with the rate history of `range`. */
    getRates: (range?: contract.RateRange) => read(contract.ratesSchema, { path: "/api/rates", search: { range } }),
    /** Whether new swaps are accepted, and the state of both chains. */
    getStatus: () => read(contract.statusSchema, { path: "/api/status" }),

    /** Creates a quote for a source or a target amount. It is open for `quote_ttl_seconds` of the rates. */
    createQuote: (request: contract.QuoteRequest) =>
      read(contract.quoteSchema, { method: "POST", path: "/api/swap/quotes", json: request }),
    /** One of the user's quotes. */
    getQuote: (id: number) => read(contract.quoteSchema, { path: `/api/swap/quotes/${id}` }),
    /** The newest open quote, otherwise the newest locked one, otherwise null. */
    async getActiveQuote(): Promise<contract.Quote | null> {
      try {
        return await read(contract.quoteSchema, { path: "/api/swap/quotes/active" });
      } catch (error) {
        if (isApiError(error, 404)) return null;
        throw error;
      }
    },
    /** Locks a quote, which creates the order. Repeating it with the same key and body returns the same order. */
    lockQuote: (id: number, request: contract.LockRequest, idempotencyKey: string) =>
      read(contract.orderSchema, {
        method: "POST",
        path: `/api/swap/quotes/${id}/lock`,
        json: request,
        headers: { "Idempotency-Key": idempotencyKey },
      }),
    /** Where to pay a locked quote, or null once the order takes no more payments. */
    async getFundingAddress(quoteId: number): Promise<contract.FundingAddress | null> {
      try {
        return await read(contract.fundingAddressSchema, { path: `/api/swap/quotes/${quoteId}/funding-address` });
      } catch (error) {
        if (isApiError(error, 409)) return null;
        throw error;
      }
    },

    /** The user's orders, newest first, a page at a time. */
    listOrders,
    /** One of the user's orders. */
    getOrder: (id: string) => read(contract.orderSchema, { path: `/api/swap/swaps/${encodeURIComponent(id)}` }),
    /**
     * The order of a quote, or null if it was never locked. Servers that ignore the `quote_id` filter
     * return all orders, so every page is searched.
     */
    async getOrderByQuote(quoteId: number): Promise<contract.Order | null> {
      let cursor: string | undefined;
      do {
        const page = await listOrders({ limit: 100, cursor, quote_id: quoteId });
        const order = page.items.find((item) => item.quote_id === quoteId);
        if (order) return order;
        cursor = page.next ?? undefined;
      } while (cursor !== undefined);
      return null;
    },
    /** Answers the decision that an order is waiting for. */
    decideOrder: (id: string, decision: contract.DecisionRequest) =>
      read(contract.orderSchema, {
        method: "POST",
        path: `/api/swap/swaps/${encodeURIComponent(id)}/decision`,
        json: decision,
      }),
    /** Cancels an order for which no deposit has been seen. */
    cancelOrder: (id: string) =>
      read(contract.orderSchema, {
        method: "POST",
        path: `/api/swap/swaps/${encodeURIComponent(id)}/cancel`,
        json: {},
      }),
    /** A response whose body streams the order's events as text/event-stream. Not retried. */
    orderEvents: (id: string, lastEventId?: string | null) =>
      send({
        path: `/api/swap/swaps/${encodeURIComponent(id)}/events`,
        headers: { accept: "text/event-stream", ...(lastEventId && { "Last-Event-ID": lastEventId }) },
        retries: 0,
      }),

    /** The user's saved addresses, newest first, optionally of one type. */
    async listAddresses(type?: AddressType): Promise<contract.DeliveryAddress[]> {
      const { items } = await read(contract.pageSchema(contract.deliveryAddressSchema), {
        path: "/api/swap/delivery-addresses",
        search: { limit: 100 },
      });
      return type === undefined ? items : items.filter((item) => item.type === type);
    },
    /** Validates and saves an address. */
    addAddress: (request: contract.DeliveryAddressRequest) =>
      read(contract.deliveryAddressSchema, { method: "POST", path: "/api/swap/delivery-addresses", json: request }),
    /** Removes a saved address. Existing orders keep it. */
    removeAddress: (id: string) => removeAt(`/api/swap/delivery-addresses/${encodeURIComponent(id)}`),

    /** The state of the user's identity verification. */
    getKyc: () => read(contract.kycSchema, { path: "/api/kyc" }),
    /** Submits an application for identity verification. */
    submitKyc: (application: contract.KycApplication) =>
      read(contract.kycSchema, { method: "POST", path: "/api/kyc", json: application }),

    /** The user's passkeys. */
    async listPasskeys(): Promise<contract.Passkey[]> {
      return (await read(listOf(contract.passkeySchema), { path: "/api/users/me/passkeys" })).items;
    },
    /** Renames a passkey. */
    renamePasskey: (id: string, name: string) =>
      read(contract.passkeySchema, {
        method: "PATCH",
        path: `/api/users/me/passkeys/${encodeURIComponent(id)}`,
        json: { name },
      }),
    /** Removes a passkey and ends the sessions that it signed in. */
    removePasskey: (id: string) => removeAt(`/api/users/me/passkeys/${encodeURIComponent(id)}`),
    /** The user's active sessions. */
    async listSessions(): Promise<contract.Session[]> {
      return (await read(listOf(contract.sessionSchema), { path: "/api/users/me/sessions" })).items;
    },
    /** Ends one session. */
    endSession: (id: string) => removeAt(`/api/users/me/sessions/${encodeURIComponent(id)}`),
    /** Ends every session of the user except that of the access token. */
    endOtherSessions: () => removeAt("/api/users/me/sessions"),
  };
}

const listOf = <T extends z.ZodTypeAny>(item: T) => z.object({ items: z.array(item) });

/**
 * The site's typed client of the exchange's API: the specification's section 7 and the
 * calls of `decisions.md`. It runs on the server alone, where the tokens are.
 */
import { z } from "zod";
import type { AddressType } from "../lib/assets";
import { assetsRetries, userRetries } from "../lib/constants";
import { errorTexts } from "../lib/error-catalogue";
import * as contract from "./contract";
import { isApiError } from "./errors";
import { type Call, createTransport, type TransportOptions } from "./transport";

export type ApiClient = ReturnType<typeof createApiClient>;

/** An answer to a sign-in that lacks what it must carry (V08, V09); its message is a text of the catalogue. */
export class SignInAnswerError extends Error {
  constructor(text: typeof errorTexts.authServerError | typeof errorTexts.challengeMissing) {
    super(text);
    this.name = "SignInAnswerError";
  }
}

type PageParams = { cursor?: string; limit?: number };

/** Every call throws ApiError (status ≥ 400), ApiUnreachableError or ApiContractError. */
export function createApiClient(options: TransportOptions) {
  const { send, read } = createTransport(options);

  /** V09: 202 with both members, else E07 or E08. */
  async function startSignIn(json: unknown): Promise<contract.Challenge> {
    const response = await send({ method: "POST", path: "/api/auth", json });
    if (response.status !== 202) throw new SignInAnswerError(errorTexts.authServerError);
    const parsed = contract.challengeSchema.safeParse(await response.json().catch(() => null));
    if (!parsed.success) throw new SignInAnswerError(errorTexts.challengeMissing);
    return parsed.data;
  }

  /** C08, C09: the WebAuthn options and their challenge, else E08. */
  async function readOptions(call: Call): Promise<contract.PasskeyOptions> {
    const parsed = contract.passkeyOptionsSchema.safeParse(await (await send(call)).json().catch(() => null));
    if (!parsed.success) throw new SignInAnswerError(errorTexts.challengeMissing);
    return parsed.data;
  }

  /** V08: without an access token nobody is signed in (E07). */
  async function readTokens(call: Call): Promise<contract.Tokens> {
    const parsed = contract.tokensSchema.safeParse(await (await send(call)).json().catch(() => null));
    if (!parsed.success) throw new SignInAnswerError(errorTexts.authServerError);
    return parsed.data;
  }

  async function removeAt(path: string): Promise<void> {
    await send({ method: "DELETE", path });
  }

  const listOrders = (page: PageParams & { quote_id?: number } = {}) =>
    read(contract.pageSchema(contract.orderSchema), { path: "/api/swap/swaps", search: page });

  return {
    /** C02 */
    getCurrentUser: () => read(contract.userSchema, { path: "/api/users/me", retries: userRetries }),
    /** C03 */
    getAssets: () => read(contract.assetsSchema, { path: "/api/swap/assets", retries: assetsRetries }),

    /** C04: mails a code to `identifier`. */
    startEmailSignIn: (identifier: string) => startSignIn({ auth_method: "email", credentials: { identifier } }),
    /** C05 */
    completeEmailSignIn: (challengeId: string, code: string) =>
      readTokens({
        method: "POST",
        path: "/api/auth",
        json: { credentials: { challenge_id: challengeId, auth_data: { code } } },
      }),
    /** C06, first step: options for whichever passkey the browser offers. */
    startPasskeySignIn: () => startSignIn({ auth_method: "passkey" }),
    /** C06, second step. `assertion` is an AuthenticationResponseJSON. */
    completePasskeySignIn: (challengeId: string, assertion: Record<string, unknown>) =>
      readTokens({
        method: "POST",
        path: "/api/auth",
        json: { auth_method: "passkey", credentials: { challenge_id: challengeId, auth_data: assertion } },
      }),
    /** C07 */
    refresh: (refreshToken: string) =>
      readTokens({ method: "POST", path: "/api/auth/refresh", json: { refresh_token: refreshToken } }),
    /** C08 */
    getPasskeyLoginOptions: (identifier: string) =>
      readOptions({ method: "POST", path: "/api/auth/passkey/login-options", json: { identifier } }),
    /** C09 */
    startPasskeyRegistration: (identifier: string) =>
      readOptions({ method: "POST", path: "/api/auth/passkey/register", json: { identifier } }),
    /** C10. `attestation` is a RegistrationResponseJSON. */
    completePasskeyRegistration: (identifier: string, challengeId: string, attestation: Record<string, unknown>) =>
      readTokens({
        method: "POST",
        path: "/api/auth/passkey/register/verify",
        json: { identifier, challenge_id: challengeId, attestation },
      }),
    /** Ends the session of the token. */
    async logout(): Promise<void> {
      await send({ method: "POST", path: "/api/auth/logout", json: {} });
    },

    getRates: (range?: contract.RateRange) => read(contract.ratesSchema, { path: "/api/rates", search: { range } }),
    getStatus: () => read(contract.statusSchema, { path: "/api/status" }),

    createQuote: (request: contract.QuoteRequest) =>
      read(contract.quoteSchema, { method: "POST", path: "/api/swap/quotes", json: request }),
    getQuote: (id: number) => read(contract.quoteSchema, { path: `/api/swap/quotes/${id}` }),
    /** The newest open quote, else the newest locked one, else null. */
    async getActiveQuote(): Promise<contract.Quote | null> {
      try {
        return await read(contract.quoteSchema, { path: "/api/swap/quotes/active" });
      } catch (error) {
        if (isApiError(error, 404)) return null;
        throw error;
      }
    },
    /** Makes the order. The same key and body again give the same order. */
    lockQuote: (id: number, request: contract.LockRequest, idempotencyKey: string) =>
      read(contract.orderSchema, {
        method: "POST",
        path: `/api/swap/quotes/${id}/lock`,
        json: request,
        headers: { "Idempotency-Key": idempotencyKey },
      }),
    /** Where a locked quote is paid, or null where its order takes no payment any more. */
    async getFundingAddress(quoteId: number): Promise<contract.FundingAddress | null> {
      try {
        return await read(contract.fundingAddressSchema, { path: `/api/swap/quotes/${quoteId}/funding-address` });
      } catch (error) {
        if (isApiError(error, 409)) return null;
        throw error;
      }
    },

    /** My orders, newest first. */
    listOrders,
    getOrder: (id: string) => read(contract.orderSchema, { path: `/api/swap/swaps/${encodeURIComponent(id)}` }),
    /** The order that was made from a quote of mine, or null. A server that knows no `quote_id` is read to the end. */
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
    decideOrder: (id: string, decision: contract.DecisionRequest) =>
      read(contract.orderSchema, {
        method: "POST",
        path: `/api/swap/swaps/${encodeURIComponent(id)}/decision`,
        json: decision,
      }),
    cancelOrder: (id: string) =>
      read(contract.orderSchema, {
        method: "POST",
        path: `/api/swap/swaps/${encodeURIComponent(id)}/cancel`,
        json: {},
      }),
    /** The order's events as they happen: an answer whose body is a text/event-stream. */
    orderEvents: (id: string, lastEventId?: string | null) =>
      send({
        path: `/api/swap/swaps/${encodeURIComponent(id)}/events`,
        headers: { accept: "text/event-stream", ...(lastEventId && { "Last-Event-ID": lastEventId }) },
        retries: 0,
      }),

    /** All my delivery addresses, newest first; of one type where asked. */
    async listAddresses(type?: AddressType): Promise<contract.DeliveryAddress[]> {
      const { items } = await read(contract.pageSchema(contract.deliveryAddressSchema), {
        path: "/api/swap/delivery-addresses",
        search: { limit: 100 },
      });
      return type === undefined ? items : items.filter((item) => item.type === type);
    },
    addAddress: (request: contract.DeliveryAddressRequest) =>
      read(contract.deliveryAddressSchema, { method: "POST", path: "/api/swap/delivery-addresses", json: request }),
    removeAddress: (id: string) => removeAt(`/api/swap/delivery-addresses/${encodeURIComponent(id)}`),

    getKyc: () => read(contract.kycSchema, { path: "/api/kyc" }),
    submitKyc: (application: contract.KycApplication) =>
      read(contract.kycSchema, { method: "POST", path: "/api/kyc", json: application }),

    async listPasskeys(): Promise<contract.Passkey[]> {
      return (await read(listOf(contract.passkeySchema), { path: "/api/users/me/passkeys" })).items;
    },
    renamePasskey: (id: string, name: string) =>
      read(contract.passkeySchema, {
        method: "PATCH",
        path: `/api/users/me/passkeys/${encodeURIComponent(id)}`,
        json: { name },
      }),
    removePasskey: (id: string) => removeAt(`/api/users/me/passkeys/${encodeURIComponent(id)}`),
    async listSessions(): Promise<contract.Session[]> {
      return (await read(listOf(contract.sessionSchema), { path: "/api/users/me/sessions" })).items;
    },
    endSession: (id: string) => removeAt(`/api/users/me/sessions/${encodeURIComponent(id)}`),
    /** Ends every session of mine but the token's own. */
    endOtherSessions: () => removeAt("/api/users/me/sessions"),
  };
}

const listOf = <T extends z.ZodTypeAny>(item: T) => z.object({ items: z.array(item) });

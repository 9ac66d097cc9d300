import { z } from "zod";
import { assetsRetries } from "../lib/constants";
import type { RateRange } from "../lib/rate-ranges";
import * as contract from "./contract";
import { isApiError, orNullIfUnknown } from "./errors";
import type { Transport } from "./transport";
import { walkPages } from "./walk-pages";

/** What the site reads. A server written from the specification alone (`API_URL`) may leave out the rest. */
const assetsSchema = z.array(z.object({ symbol: z.string() }));
const quoteSchema = contract.quoteSchema.extend({ status: contract.quoteSchema.shape.status.default("open") });
const orderSchema = contract.orderSchema.extend({
  hold: contract.orderSchema.shape.hold.default(null),
  payout_not_before: contract.orderSchema.shape.payout_not_before.default(null),
});
const orderPageSchema = contract.orderPageSchema.extend({ items: z.array(orderSchema) });

/** The calls that work without an account: assets, rates, the exchange's status and its support. */
export function marketCalls({ read, send }: Transport) {
  const getRates = (range?: RateRange) => read(contract.ratesSchema, { path: "/api/rates", search: { range } });

  return {
    /** C03: the symbols of the server's assets. */
    getAssets: () => read(assetsSchema, { path: "/api/swap/assets", retries: assetsRetries }),

    /** Rates, fee (in basis points), limits and deadlines, with the rate history of `range`. */
    getRates,
    /** The current rates. Requests the shortest history, because the API always returns one, and drops it. */
    async getCurrentRates(): Promise<contract.CurrentRates> {
      const { history: _, ...rates } = await getRates("1h");
      return rates;
    },
    /** Whether new swaps are accepted, and the state of both chains. */
    getStatus: () => read(contract.statusSchema, { path: "/api/status" }),
    /**
     * Like `getStatus`, but up to five seconds old, which can save the exchange a query. Not retried, because pages
     * work without it.
     */
    getRecentStatus: () => read(contract.statusSchema, { path: "/api/status", search: { recent: "true" }, retries: 0 }),
    /** When new swaps were not accepted in the last 30 days. */
    getStatusHistory: () => read(contract.statusHistorySchema, { path: "/api/status/history" }),
    /** What the tracking link with this token shows. Its 404 is the same for unknown and revoked links. */
    getTrackedOrder: (token: string) =>
      read(contract.trackedOrderSchema, { path: "/api/tracking", headers: { "X-Tracking-Token": token } }),
    /** Sends a message to the operator's support address. */
    async sendSupportMessage(message: contract.SupportMessage): Promise<void> {
      await send({ method: "POST", path: "/api/support/messages", json: message });
    },
  };
}

/** The calls about the user's quotes. */
export function quoteCalls({ read }: Transport) {
  return {
    /** Creates a quote for a source or a target amount. It is open for `quote_ttl_seconds` of the rates. */
    createQuote: (request: contract.QuoteRequest) =>
      read(quoteSchema, { method: "POST", path: "/api/swap/quotes", json: request }),
    /** One of the user's quotes. */
    getQuote: (id: number) => read(quoteSchema, { path: `/api/swap/quotes/${id}` }),
    /** The newest open quote, otherwise the newest locked one, otherwise null. */
    getActiveQuote: (): Promise<contract.Quote | null> =>
      orNullIfUnknown(read(quoteSchema, { path: "/api/swap/quotes/active" })),
    /** Locks a quote, which creates the order. Repeating it with the same key and body returns the same order. */
    lockQuote: (id: number, request: contract.LockRequest, idempotencyKey: string) =>
      read(orderSchema, {
        method: "POST",
        path: `/api/swap/quotes/${id}/lock`,
        json: request,
        headers: { "Idempotency-Key": idempotencyKey },
      }),
    /** Where to pay a locked quote, or null once the order no longer accepts payments. */
    async getFundingAddress(quoteId: number): Promise<contract.FundingAddress | null> {
      try {
        return await read(contract.fundingAddressSchema, { path: `/api/swap/quotes/${quoteId}/funding-address` });
      } catch (error) {
        if (isApiError(error, 409)) return null;
        throw error;
      }
    },
  };
}

type PageParams = { cursor?: string; limit?: number };

/** The calls about the user's orders. */
export function orderCalls({ send, read, toContractError }: Transport) {
  type Filters = contract.OrderFilters & { quote_id?: number };
  const path = "/api/swap/swaps";
  const listOrders = (page: PageParams & Filters & { count?: "true" } = {}) =>
    read(orderPageSchema, { path, search: page });
  const walkOrders = (filters: Filters = {}) =>
    walkPages(
      1_000,
      (cursor) => listOrders({ limit: 100, cursor, ...filters }),
      (cause) => toContractError({ path }, cause),
    );

  return {
    /** The user's orders, newest first, a page at a time. Servers that do not know a filter ignore it. */
    listOrders,
    /** All of the user's orders that match, newest first, a page at a time. Pages are fetched only as they are read. */
    walkOrders,
    /** One of the user's orders. */
    getOrder: (id: string) => read(orderSchema, { path: `/api/swap/swaps/${encodeURIComponent(id)}` }),
    /**
     * The order of a quote, or null if it was never locked. Servers that ignore the `quote_id` filter
     * return all orders, so every page is searched.
     */
    async getOrderByQuote(quoteId: number): Promise<contract.Order | null> {
      for await (const orders of walkOrders({ quote_id: quoteId })) {
        const order = orders.find((item) => item.quote_id === quoteId);
        if (order) return order;
      }
      return null;
    },
    /** Makes the decision that an order is waiting for. */
    decideOrder: (id: string, decision: contract.DecisionRequest) =>
      read(orderSchema, {
        method: "POST",
        path: `/api/swap/swaps/${encodeURIComponent(id)}/decision`,
        json: decision,
      }),
    /** Cancels an order for which no deposit has been seen. */
    cancelOrder: (id: string) =>
      read(orderSchema, {
        method: "POST",
        path: `/api/swap/swaps/${encodeURIComponent(id)}/cancel`,
        json: {},
      }),
    /** Makes the order's tracking link, and returns its token. An earlier link stops working. */
    async createTrackingLink(id: string): Promise<string> {
      const path = `/api/swap/swaps/${encodeURIComponent(id)}/tracking-link`;
      return (await read(contract.trackingTokenSchema, { method: "POST", path, json: {} })).token;
    },
    /** Revokes the order's tracking link, if it has one. */
    async revokeTrackingLink(id: string): Promise<void> {
      await send({ method: "DELETE", path: `/api/swap/swaps/${encodeURIComponent(id)}/tracking-link` });
    },
    /** A response whose body streams the order's events as text/event-stream. Not retried. */
    orderEvents: (id: string, lastEventId?: string | null) =>
      send({
        path: `/api/swap/swaps/${encodeURIComponent(id)}/events`,
        headers: { accept: "text/event-stream", ...(lastEventId && { "Last-Event-ID": lastEventId }) },
        retries: 0,
        isStream: true,
      }),
  };
}

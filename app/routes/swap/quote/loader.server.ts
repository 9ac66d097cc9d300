import { randomUUID } from "node:crypto";
import type { LoaderFunctionArgs } from "@remix-run/node";
import {
  type CurrentRates,
  type DeliveryAddress,
  type FundingAddress,
  type Order,
  type Quote,
  quoteIdText,
} from "~/api/contract";
import { getConfig } from "~/config/config.server";
import * as errorTexts from "~/lib/error-catalogue";
import { paths } from "~/lib/paths";
import { toQuotePath } from "~/lib/quote-path";
import { dropRedirect, requirePasskey, withGuard } from "~/session/guards.server";
import { replaceWith, throwHttpError, throwNotFound, unwrapOrThrow } from "~/session/responses.server";
import { getScope, type RequestScope } from "~/session/scope.server";
import { type AddressName, toAddressName, toAddressOptions } from "~/swaps/saved-address";
import { drawQr } from "~/ui/qr-drawing.server";
import { readTypedSearch } from "../address-entry/typed-search.server";
import { lacksQuote, matchesQuote, parseQuoteSearch } from "./search-params.server";

/**
 * R12: the quote page or, once the quote is locked, the order page. The search params must match
 * the exchange's record of the quote, and the page always shows that record.
 */
export async function loadQuote(args: LoaderFunctionArgs) {
  const params = new URL(args.request.url).searchParams;
  const scope = await getScope(args);
  const [user, { search, ...shared }] = await withGuard(args, requirePasskey, () => loadShared(scope, args, params));
  const { quote } = shared;
  const { delivery, refund, added } = readTypedSearch(params);
  await dropRedirect(args);
  if (search === null) throw await replaceWith(args, toQuotePath(quote, { delivery, refund, added }));
  if (!matchesQuote(search, quote)) return throwHttpError(errorTexts.invalidQuote, 400);
  const [order, funding] =
    quote.locked_at === null
      ? [null, null]
      : await unwrapOrThrow(Promise.all([readOrder(scope, quote.id), scope.api.getFundingAddress(quote.id)]));
  const nowMs = Date.now();
  return order
    ? {
        kind: "order" as const,
        nowMs,
        isStopped: params.get("updates") === "off",
        kycStatus: user.kyc_status,
        ...(await loadOrder(scope, shared, { order, funding })),
      }
    : {
        kind: "quote" as const,
        nowMs,
        payoutsWaitUntil: user.payouts_wait_until ?? null,
        ...(await loadOpenQuote(scope, shared, { delivery, refund, added }, params)),
      };
}

type Shared = { quote: Quote; saved: DeliveryAddress[]; rates: CurrentRates };

/** The data that both pages show, and the search params about the quote, or null if there are none. */
async function loadShared({ api }: RequestScope, { params: { quoteId } }: LoaderFunctionArgs, params: URLSearchParams) {
  const id = parseQuoteId(quoteId);
  const search = lacksQuote(params) ? null : (parseQuoteSearch(params) ?? throwHttpError(errorTexts.invalidQuote, 400));
  const [quote, saved, rates] = await Promise.all([
    unwrapOrThrow(api.getQuote(id)),
    unwrapOrThrow(api.listAddresses()),
    unwrapOrThrow(api.getCurrentRates()),
  ]);
  return { search, quote, saved, rates };
}

export type QuotePageData = Awaited<ReturnType<typeof loadQuote>>;
export type OpenQuoteData = Extract<QuotePageData, { kind: "quote" }>;
export type OrderData = Extract<QuotePageData, { kind: "order" }>;
/** The data without the order: the page shows the live order, which may be newer. */
export type OrderPageData = Omit<OrderData, "order">;

/** The order of a quote. The exchange makes an offer for a late payment when the order itself is read, not in lists. */
async function readOrder({ api }: RequestScope, quoteId: number): Promise<Order | null> {
  const order = await api.getOrderByQuote(quoteId);
  return order?.status === "needs_decision" ? api.getOrder(order.id) : order;
}

async function loadOpenQuote(
  scope: RequestScope,
  { quote, saved, rates }: Shared,
  chosen: Record<AddressName | "added", string | null>,
  params: URLSearchParams,
) {
  const [renewed, newest] = await Promise.all([loadRenewed(scope, quote, params), listNewest(scope)]);
  const direction = { source: quote.source_asset_symbol, target: quote.target_asset_symbol };
  return {
    quote,
    /** The amount to receive at the previous price, which this one replaces. */
    previousAmount: renewed?.target_amount ?? null,
    isFirst: newest?.length === 0,
    rates,
    ...toAddressOptions(saved, direction, chosen),
    /** Posted with the form, so that submitting it twice creates one order. */
    idempotencyKey: randomUUID(),
  };
}

/** The customer's newest two orders, only for the steps of a new customer. Null if the exchange doesn't respond. */
async function listNewest(scope: RequestScope): Promise<Order[] | null> {
  const page = await scope.api.listOrders({ limit: 2 }).catch(() => null);
  return page?.items ?? null;
}

/** The quote for the same amount that the given one renews, if the URL names one. */
async function loadRenewed(scope: RequestScope, quote: Quote, params: URLSearchParams): Promise<Quote | null> {
  const id = quoteIdText.safeParse(params.get("renews")).data;
  if (id === undefined) return null;
  const renewed = await scope.api.getQuote(id).catch(() => null);
  const isSameSwap =
    renewed?.source_amount === quote.source_amount && renewed.source_asset_symbol === quote.source_asset_symbol;
  return isSameSwap ? renewed : null;
}

async function loadOrder(
  scope: RequestScope,
  { quote, saved, rates }: Shared,
  { order, funding }: { order: Order; funding: FundingAddress | null },
) {
  const newest = order.status === "awaiting_deposit" ? await listNewest(scope) : null;
  const { origin, exchange, walletRpc, confirmations } = getConfig();
  const label = (address: string) => saved.find((known) => known.address === address)?.label ?? "";
  return {
    quote,
    order,
    /** Whether a new customer is about to pay for the first time. */
    isFirst: newest?.length === 1,
    /** Null once the order no longer accepts payments: the page then does not show an address. */
    pay: funding && { funding, paymentCode: drawQr(funding.uri), addressCode: drawQr(funding.address) },
    rates,
    deliveryName: toAddressName({ address: order.delivery_address, label: label(order.delivery_address) }),
    refundName: toAddressName({ address: order.refund_address, label: label(order.refund_address) }),
    /** For the printed receipt. */
    origin,
    pageCode: drawQr(`${origin}${paths.quote(quote.id)}`),
    explorers: { USDT: exchange.explorer.ethereumTx, MOB: exchange.explorer.mobilecoinTx },
    wallet: { rpc: walletRpc, requiredConfirmations: confirmations.USDT },
  };
}

/** The quote's ID from the path. @throws 404 for anything else */
export function parseQuoteId(text: string | undefined): number {
  return quoteIdText.safeParse(text).data ?? throwNotFound();
}

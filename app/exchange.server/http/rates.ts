import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { type Rates, ratesSchema } from "../../api/contract";
import { formatAmount, formatDecimal, RATE_DECIMALS } from "../../lib/money";
import { toQuotedRate } from "../../lib/price";
import { type RateRange, rateRanges } from "../../lib/rate-ranges";
import type { ExchangeContext } from "../context";
import { getRecentMarket, type Market } from "../pricing/market";
import { toCosts } from "../pricing/payment-costs";
import { createRateHistories, isRecent, type RatePoint, toPrices } from "../pricing/rates";
import type { Env } from "./env";
import { createRouter, json, refusals } from "./router";

const getRates = createRoute({
  method: "get",
  path: "/api/rates",
  summary: "Get the rates, their history, limits, fees and time limits",
  request: { query: z.object({ range: z.enum(rateRanges).default("24h") }) },
  responses: { 200: { description: "The rates", content: json(ratesSchema) }, ...refusals(422) },
});

const cacheable = { "Cache-Control": "public, max-age=2" };

/** The published rates with their history; public. */
export function rateRoutes(ctx: ExchangeContext): OpenAPIHono<Env> {
  const getHistory = createRateHistories(ctx.db);
  const known = new Map<RateRange, { stamp: string; isTrusted: boolean; rates: Rates }>();
  return createRouter().openapi(getRates, async (c) => {
    const [now, market] = await Promise.all([ctx.clock.now(ctx.db), getRecentMarket(ctx)]);
    const { range } = c.req.valid("query");
    const { stamp } = market;
    const isTrusted = market.rate !== null && isRecent(ctx, market.rate, now);
    const last = known.get(range);
    // Formatting the history is most of the work, and most callers request the same rates.
    if (last?.stamp === stamp && last.isTrusted === isTrusted) return c.json(last.rates, 200, cacheable);
    const history = await getHistory(range, now, market.rate?.id ?? null);
    const rates = toRates(ctx, { market, isTrusted, history, now });
    known.set(range, { stamp, isTrusted, rates });
    return c.json(rates, 200, cacheable);
  });
}

const format = (rate: bigint) => formatDecimal(rate, RATE_DECIMALS);

/** @param isTrusted whether the latest rate is recent enough for quotes */
function toRates(
  { config, chains }: ExchangeContext,
  { market, isTrusted, history, now }: { market: Market; isTrusted: boolean; history: RatePoint[]; now: Date },
): Rates {
  const latest = market.rate && toPrices(market.rate);
  const payoutCosts = toCosts(market.chains, config.payoutCost, now);
  const refundCosts = toCosts(market.chains, config.refundCost, now);
  return {
    rates:
      latest && isTrusted
        ? { USDT_MOB: format(toQuotedRate("USDT", latest)), MOB_USDT: format(toQuotedRate("MOB", latest)) }
        : null,
    updated_at: latest?.at.toISOString() ?? null,
    fee_bps: config.feeBps,
    limits: { min_usdt: formatAmount(config.minUsdt, "USDT"), max_usdt: formatAmount(config.maxUsdt, "USDT") },
    payout_cost: {
      USDT: formatAmount(payoutCosts.USDT, "USDT"),
      MOB: formatAmount(payoutCosts.MOB, "MOB"),
    },
    refund_cost: {
      USDT: formatAmount(refundCosts.USDT, "USDT"),
      MOB: formatAmount(refundCosts.MOB, "MOB"),
    },
    confirmations: { USDT: chains.USDT.requiredConfirmations, MOB: chains.MOB.requiredConfirmations },
    quote_ttl_seconds: Math.round(config.quoteTtlMs / 1000),
    lock_ttl_seconds: Math.round(config.lockTtlMs / 1000),
    grace_seconds: Math.round(config.graceMs / 1000),
    history: history.map((point) => ({ at: point.at.toISOString(), rate: format(point.rate) })),
  };
}

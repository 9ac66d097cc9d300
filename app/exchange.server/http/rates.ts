import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { type Rates, rateRanges, ratesSchema } from "../../api/contract";
import { formatAmount, formatDecimal, RATE_DECIMALS } from "../../lib/money";
import { toQuotedRate } from "../../lib/price";
import type { ExchangeContext } from "../context";
import { getRecentMarket } from "../pricing/market";
import { toPaymentCosts } from "../pricing/payment-costs";
import { createRateHistories, isRecent, toPrices } from "../pricing/rates";
import type { Env } from "./env";
import { createRouter, json, refusals } from "./router";

const getRates = createRoute({
  method: "get",
  path: "/api/rates",
  summary: "Get the rates, their history, limits, fees and time limits",
  request: { query: z.object({ range: z.enum(rateRanges).default("24h") }) },
  responses: { 200: { description: "The rates", content: json(ratesSchema) }, ...refusals(422) },
});

/** The published rates with their history; public. */
export function rateRoutes(ctx: ExchangeContext): OpenAPIHono<Env> {
  const getHistory = createRateHistories(ctx.db);
  return createRouter().openapi(getRates, async (c) => {
    const [now, market] = await Promise.all([ctx.clock.now(ctx.db), getRecentMarket(ctx)]);
    const latest = market.rate && toPrices(market.rate);
    const trusted = latest && isRecent(ctx, latest, now);
    const history = await getHistory(c.req.valid("query").range, now, market.rate?.id ?? null);
    const format = (rate: bigint) => formatDecimal(rate, RATE_DECIMALS);
    const { config } = ctx;
    const costs = toPaymentCosts(config, market.chains);
    const body: Rates = {
      rates: trusted
        ? {
            USDT_MOB: format(toQuotedRate("USDT", latest)),
            MOB_USDT: format(toQuotedRate("MOB", latest)),
          }
        : null,
      updated_at: latest?.at.toISOString() ?? null,
      fee_bps: config.feeBps,
      limits: { min_usdt: formatAmount(config.minUsdt, "USDT"), max_usdt: formatAmount(config.maxUsdt, "USDT") },
      payout_cost: {
        USDT: formatAmount(costs.payout.USDT, "USDT"),
        MOB: formatAmount(costs.payout.MOB, "MOB"),
      },
      refund_cost: {
        USDT: formatAmount(costs.refund.USDT, "USDT"),
        MOB: formatAmount(costs.refund.MOB, "MOB"),
      },
      confirmations: {
        USDT: ctx.chains.USDT.requiredConfirmations,
        MOB: ctx.chains.MOB.requiredConfirmations,
      },
      quote_ttl_seconds: Math.round(config.quoteTtlMs / 1000),
      lock_ttl_seconds: Math.round(config.lockTtlMs / 1000),
      grace_seconds: Math.round(config.graceMs / 1000),
      history: history.map((point) => ({ at: point.at.toISOString(), rate: format(point.rate) })),
    };
    c.header("Cache-Control", "public, max-age=2");
    return c.json(body, 200);
  });
}

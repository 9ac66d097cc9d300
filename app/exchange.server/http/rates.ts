import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { type Rates, rateRanges, ratesSchema } from "../../api/contract";
import { formatAmount, formatDecimal, RATE_DECIMALS } from "../../lib/money";
import type { ExchangeContext } from "../context";
import { rateOf } from "../quotes/price";
import { getLatestRate, getRateHistory } from "../rates/rates";
import type { Env } from "./env";
import { createRouter, json } from "./router";

const getRates = createRoute({
  method: "get",
  path: "/api/rates",
  summary: "The rate both ways, its history, limits, fee and times",
  request: { query: z.object({ range: z.enum(rateRanges).default("24h") }) },
  responses: { 200: { description: "Public", content: json(ratesSchema) } },
});

/** The published rates with their history, for everybody. */
export function rateRoutes(x: ExchangeContext): OpenAPIHono<Env> {
  return createRouter().openapi(getRates, async (c) => {
    const now = await x.clock.now(x.db);
    const latest = await getLatestRate(x.db);
    const trusted = latest && now.getTime() - latest.at.getTime() <= x.config.rateMaxAgeMs;
    const history = await getRateHistory(x.db, c.req.valid("query").range, now);
    const format = (rate: bigint) => formatDecimal(rate, RATE_DECIMALS);
    const { config } = x;
    const body: Rates = {
      rates: trusted
        ? { USDT_MOB: format(rateOf("USDT", latest.rate)), MOB_USDT: format(rateOf("MOB", latest.rate)) }
        : null,
      updated_at: latest?.at.toISOString() ?? null,
      fee_bps: config.feeBps,
      limits: { min_usdt: formatAmount(config.minUsdt, "USDT"), max_usdt: formatAmount(config.maxUsdt, "USDT") },
      payout_cost: {
        USDT: formatAmount(config.payoutCost.USDT, "USDT"),
        MOB: formatAmount(config.payoutCost.MOB, "MOB"),
      },
      refund_cost: {
        USDT: formatAmount(config.refundCost.USDT, "USDT"),
        MOB: formatAmount(config.refundCost.MOB, "MOB"),
      },
      confirmations: {
        USDT: x.chains.USDT.requiredConfirmations,
        MOB: x.chains.MOB.requiredConfirmations,
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

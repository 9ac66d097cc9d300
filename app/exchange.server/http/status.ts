import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { type Status, statusSchema } from "../../api/contract";
import type { ExchangeContext } from "../context";
import { ExchangeError } from "../errors";
import { isRecent } from "../pricing/rates";
import { getMarket, type Market } from "../switches/market";
import { getStopReason } from "../switches/swap-acceptance";
import type { Env } from "./env";
import { createRouter, json, refusals } from "./router";

const getStatus = createRoute({
  method: "get",
  path: "/api/status",
  summary: "Get the status of the exchange and its chains",
  responses: {
    200: { description: "The status; see `accepting_swaps`", content: json(statusSchema) },
    ...refusals(),
  },
});

/** The exchange's status; public. Responds 503 until the exchange is ready, then always 200. */
export function statusRoutes(ctx: ExchangeContext, isReady: () => boolean): OpenAPIHono<Env> {
  return createRouter().openapi(getStatus, async (c) => {
    if (!isReady()) throw new ExchangeError("starting", { retryAfterSeconds: 1 });
    const market = await getMarket(ctx);
    const reason = await getReason(ctx, market);
    const toChain = (asset: "USDT" | "MOB"): Status["chains"]["ethereum"] => {
      const state = market.chains[asset];
      const chainId = state?.chainId ?? null;
      return {
        ok: state?.synced === true && state.paymentBlockReason === null,
        height: state?.height ?? null,
        chain_id: chainId !== null && /^[0-9]+$/.test(chainId) ? Number(chainId) : chainId,
        synced: state?.synced === true,
        checked_at: state?.checkedAt?.toISOString() ?? null,
      };
    };
    c.header("Cache-Control", "no-store");
    return c.json(
      {
        mode: ctx.config.mode,
        accepting_swaps: reason === null,
        reason,
        chains: { ethereum: toChain("USDT"), mobilecoin: toChain("MOB") },
      },
      200,
    );
  });
}

async function getReason(ctx: ExchangeContext, market: Market): Promise<string | null> {
  const now = await ctx.clock.now(ctx.db);
  const stopped = getStopReason(ctx, market, now);
  if (stopped !== null) return stopped;
  const { rate } = market;
  return rate !== null && isRecent(ctx, rate, now) ? null : "rate_unknown";
}

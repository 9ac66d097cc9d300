import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { type Status, statusHistorySchema, statusSchema } from "../../api/contract";
import type { AssetSymbol } from "../../lib/assets";
import type { ExchangeContext } from "../context";
import { ExchangeError } from "../errors";
import { getInterruptions } from "../pricing/interruptions";
import { getMarket, getRecentMarket } from "../pricing/market";
import { getPauseReason, isInSync } from "../pricing/swap-acceptance";
import type { Env } from "./env";
import { createRouter, json, refusals } from "./router";

const getStatus = createRoute({
  method: "get",
  path: "/api/status",
  summary: "Get the status of the exchange and its chains",
  request: { query: z.object({ recent: z.enum(["true"]).optional() }) },
  responses: {
    200: {
      description: "The status; see `accepting_swaps`. Up to five seconds old if `recent` is true",
      content: json(statusSchema),
    },
    ...refusals(422),
  },
});

const getHistory = createRoute({
  method: "get",
  path: "/api/status/history",
  summary: "List when new swaps were not accepted in the last 30 days",
  responses: {
    200: { description: "At most 100, newest first", content: json(statusHistorySchema) },
    ...refusals(),
  },
});

/** How old the displayed history may be. The jobs record more often than that only when something changes. */
const historyMs = 10_000;

/**
 * The exchange's status and its history; public. The status responds 503 until the exchange is ready, then always 200.
 */
export function statusRoutes(ctx: ExchangeContext, isReady: () => boolean): OpenAPIHono<Env> {
  const app = createRouter();
  app.openapi(getStatus, async (c) => {
    if (!isReady()) throw new ExchangeError("starting", { retryAfterSeconds: 1 });
    const market = c.req.valid("query").recent ? await getRecentMarket(ctx) : await getMarket(ctx);
    const now = await ctx.clock.now(ctx.db);
    const reason = getPauseReason(ctx, market, now);
    const toChain = (asset: AssetSymbol): Status["chains"]["ethereum"] => {
      const state = market.chains[asset];
      const chainId = state?.chainId ?? null;
      const synced = state !== null && isInSync(state, now);
      return {
        ok: synced && state.paymentBlockReason === null,
        height: state?.height ?? null,
        chain_id: chainId !== null && /^[0-9]+$/.test(chainId) ? Number(chainId) : chainId,
        synced,
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

  let known: { at: number; history: ReturnType<typeof getInterruptions> } | null = null;
  /** Reads the history at most once in ten seconds, because anyone can request it and it may be long. */
  const getRecentHistory = async () => {
    const at = (await ctx.clock.now(ctx.db)).getTime();
    if (known && at >= known.at && at - known.at < historyMs) return known.history;
    const history = getInterruptions(ctx);
    known = { at, history };
    // A failed read is not cached.
    history.catch(() => {
      if (known?.history === history) known = null;
    });
    return history;
  };
  app.openapi(getHistory, async (c) => {
    const { since, interruptions } = await getRecentHistory();
    c.header("Cache-Control", "no-store");
    return c.json(
      {
        since: since.toISOString(),
        interruptions: interruptions.map(({ reason, from, to }) => ({
          reason,
          from: from.toISOString(),
          to: to?.toISOString() ?? null,
        })),
      },
      200,
    );
  });

  return app;
}

import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { type Status, statusSchema } from "../../api/contract";
import type { ExchangeContext } from "../context";
import { ExchangeError } from "../errors";
import { getStopReason } from "../orders/acceptance";
import { chainStates } from "../orders/tables";
import { requireRate } from "../rates/rates";
import type { Env } from "./env";
import { createRouter, json, refusals } from "./router";

const getStatus = createRoute({
  method: "get",
  path: "/api/status",
  summary: "Whether new swaps are taken, and how the chains are",
  responses: {
    200: { description: "Public; `accepting_swaps` tells", content: json(statusSchema) },
    ...refusals(503),
  },
});

/** 503 until the exchange could take a swap for the first time; then always 200. */
export function statusRoutes(x: ExchangeContext, isReady: () => boolean): OpenAPIHono<Env> {
  return createRouter().openapi(getStatus, async (c) => {
    if (!isReady()) throw new ExchangeError("starting", { retryAfterSeconds: 1 });
    const reason = await getReason(x);
    const states = await x.db.select().from(chainStates);
    const toChain = (asset: "USDT" | "MOB"): Status["chains"]["ethereum"] => {
      const state = states.find((row) => row.asset === asset);
      const chainId = state?.chainId ?? null;
      return {
        ok: state?.synced === 1 && state.obstacle === null,
        height: state?.height ?? null,
        chain_id: chainId !== null && /^[0-9]+$/.test(chainId) ? Number(chainId) : chainId,
        synced: state?.synced === 1,
        checked_at: state?.checkedAt?.toISOString() ?? null,
      };
    };
    c.header("Cache-Control", "no-store");
    return c.json(
      {
        mode: x.config.mode,
        accepting_swaps: reason === null,
        reason,
        chains: { ethereum: toChain("USDT"), mobilecoin: toChain("MOB") },
      },
      200,
    );
  });
}

async function getReason(x: ExchangeContext): Promise<string | null> {
  const stopped = await getStopReason(x.db, x);
  if (stopped !== null) return stopped;
  return requireRate(x.db, x).then(
    () => null,
    (error: unknown) => {
      if (error instanceof ExchangeError) return error.code;
      throw error;
    },
  );
}

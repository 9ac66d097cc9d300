import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { assetsSchema } from "../../api/contract";
import { assetSymbols, assets } from "../../lib/assets";
import type { Env } from "./env";
import { createRouter, json } from "./router";

const listAssets = createRoute({
  method: "get",
  path: "/api/swap/assets",
  summary: "The assets that can be swapped (C03)",
  responses: { 200: { description: "A plain array", content: json(assetsSchema) } },
});

/** The two assets, for everybody. */
export function assetRoutes(): OpenAPIHono<Env> {
  return createRouter().openapi(listAssets, (c) => {
    c.header("Cache-Control", "public, max-age=60");
    return c.json(
      assetSymbols.map((symbol) => {
        const { name, network, decimals } = assets[symbol];
        return { symbol, name, network, decimals };
      }),
      200,
    );
  });
}

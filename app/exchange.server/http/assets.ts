import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { assetsSchema } from "../../api/contract";
import { assetSymbols, assets } from "../../lib/assets";
import type { Env } from "./env";
import { createRouter, json, refusals } from "./router";

const listAssets = createRoute({
  method: "get",
  path: "/api/swap/assets",
  summary: "List the assets you can swap",
  responses: { 200: { description: "All assets", content: json(assetsSchema) }, ...refusals() },
});

/** The two assets; public. */
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

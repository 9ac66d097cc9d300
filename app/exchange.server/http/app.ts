import type { OpenAPIHono } from "@hono/zod-openapi";
import type { ExchangeContext } from "../context";
import type { OnKycChange } from "../kyc/decide";
import { addressRoutes } from "./addresses";
import { assetRoutes } from "./assets";
import { authRoutes } from "./auth";
import type { Env } from "./env";
import { toErrorResponse } from "./error-responses";
import { kycRoutes } from "./kyc";
import { awaitReadiness, limitBody, readCaller, requestFrame, requireStrictJson } from "./middleware";
import { orderEventRoutes } from "./order-events";
import type { StreamLimits } from "./order-streams";
import { quoteRoutes } from "./quotes";
import { limitRequests, limitWrites } from "./rate-limits";
import { rateRoutes } from "./rates";
import { createRouter } from "./router";
import { statusRoutes } from "./status";
import { swapRoutes } from "./swaps";
import { toUnknownCallError } from "./unknown-calls";
import { userRoutes } from "./users";

export type ApiOptions = {
  /** False until the exchange is ready for its first swap, then true. */
  isReady?: () => boolean;
  /** Called in the transaction that approves or rejects an account, to release or hold its orders. */
  onKycChange?: OnKycChange;
  /** Changes to the limits of event streams. */
  streams?: Partial<StreamLimits>;
};

/**
 * The HTTP API: every path under /api. It authenticates by the X-Auth-Token header and ignores
 * cookies. Errors have the contract's shape.
 */
export function createApi(ctx: ExchangeContext, options: ApiOptions = {}): OpenAPIHono<Env> {
  const app = createRouter();
  const isReady = options.isReady ?? (() => true);
  app.onError((error, c) => toErrorResponse(c, error, ctx.log));
  app.use(requestFrame());
  app.use(awaitReadiness(isReady));
  app.use(limitRequests(ctx));
  app.use(limitBody());
  app.use(requireStrictJson());
  app.use(readCaller(ctx));
  app.use(limitWrites(ctx));

  app.route("/", authRoutes(ctx));
  app.route("/", userRoutes(ctx));
  app.route("/", kycRoutes(ctx, options.onKycChange));
  app.route("/", assetRoutes());
  app.route("/", rateRoutes(ctx));
  app.route("/", statusRoutes(ctx, isReady));
  app.route("/", addressRoutes(ctx));
  app.route("/", quoteRoutes(ctx));
  app.route("/", swapRoutes(ctx));
  app.route("/", orderEventRoutes(ctx, options.streams));

  app.doc31("/api/openapi.json", {
    openapi: "3.1.0",
    info: { title: "Antelope exchange", version: "1", description: "Swaps between USDT and MOB." },
    servers: [{ url: ctx.config.origin }],
    security: [{ token: [] }, {}],
  });
  app.openAPIRegistry.registerComponent("securitySchemes", "token", {
    type: "apiKey",
    in: "header",
    name: "X-Auth-Token",
  });
  app.notFound((c) => toErrorResponse(c, toUnknownCallError(c, app.routes), ctx.log));
  return app;
}

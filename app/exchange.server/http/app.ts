import type { OpenAPIHono } from "@hono/zod-openapi";
import type { ExchangeContext } from "../context";
import type { OnKycChange } from "../kyc/decide";
import { addressRoutes } from "./addresses";
import { assetRoutes } from "./assets";
import { authRoutes } from "./auth";
import type { Env } from "./env";
import { toErrorAnswer } from "./error-answers";
import { kycRoutes } from "./kyc";
import { awaitReadiness, limitBody, readCaller, requestFrame, requireStrictJson } from "./middleware";
import { orderEventRoutes } from "./order-events";
import { quoteRoutes } from "./quotes";
import { limitRequests, limitWrites } from "./rate-limits";
import { rateRoutes } from "./rates";
import { createRouter } from "./router";
import { statusRoutes } from "./status";
import { swapRoutes } from "./swaps";
import { refuseUnknown } from "./unknown-calls";
import { userRoutes } from "./users";

export type ApiOptions = {
  /** False until the exchange can answer for the first time; then true for ever. */
  isReady?: () => boolean;
  /** Called in the transaction that gives or takes an approval, so that funded orders go on or are held with it. */
  onKycChange?: OnKycChange;
};

/**
 * Everything under /api. `fetch(request, {remoteAddress})` answers every request, refusals
 * in the contract's shape; it reads X-Auth-Token and no cookie.
 */
export function createApi(x: ExchangeContext, options: ApiOptions = {}): OpenAPIHono<Env> {
  const app = createRouter();
  const isReady = options.isReady ?? (() => true);
  app.onError((error, c) => toErrorAnswer(c, error, x.log));
  app.use(requestFrame());
  app.use(awaitReadiness(isReady));
  app.use(limitRequests(x));
  app.use(limitBody());
  app.use(requireStrictJson());
  app.use(readCaller(x));
  app.use(limitWrites(x));

  app.route("/", authRoutes(x));
  app.route("/", userRoutes(x));
  app.route("/", kycRoutes(x, options.onKycChange));
  app.route("/", assetRoutes());
  app.route("/", rateRoutes(x));
  app.route("/", statusRoutes(x, isReady));
  app.route("/", addressRoutes(x));
  app.route("/", quoteRoutes(x));
  app.route("/", swapRoutes(x));
  app.route("/", orderEventRoutes(x));

  app.doc31("/api/openapi.json", {
    openapi: "3.1.0",
    info: { title: "Antelope exchange", version: "1", description: "Swaps between USDT and MOB." },
    servers: [{ url: x.config.origin }],
    security: [{ token: [] }, {}],
  });
  app.openAPIRegistry.registerComponent("securitySchemes", "token", {
    type: "apiKey",
    in: "header",
    name: "X-Auth-Token",
  });
  app.notFound((c) => toErrorAnswer(c, refuseUnknown(c, app.routes), x.log));
  return app;
}

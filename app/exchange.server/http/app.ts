import type { OpenAPIHono } from "@hono/zod-openapi";
import type { ExchangeContext } from "../context";
import { ExchangeError } from "../errors";
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
  app.notFound((c) => {
    const allowed = methodsOf(app, c.req.path);
    if (allowed.length === 0) return toErrorAnswer(c, new ExchangeError("not_found"), x.log);
    c.header("Allow", allowed.join(", "));
    return toErrorAnswer(c, new ExchangeError("method_not_allowed"), x.log);
  });
  return app;
}

/** The methods under which a path is known; empty where it is known under none. */
function methodsOf(app: OpenAPIHono<Env>, path: string): string[] {
  const methods = new Set<string>();
  const parts = path.split("/");
  for (const route of app.routes) {
    if (route.method === "ALL") continue;
    const pattern = route.path.split("/");
    const fits =
      pattern.length === parts.length &&
      // A parameter may be restricted (`:id{[0-9]+}`); for the list of methods any value will do.
      pattern.every((part, i) => (part.startsWith(":") ? parts[i] !== "" : part === parts[i]));
    if (fits) methods.add(route.method);
  }
  return [...methods];
}

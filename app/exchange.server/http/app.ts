import type { OpenAPIHono } from "@hono/zod-openapi";
import { methodNotAllowed } from "hono/method-not-allowed";
import { limitBodies } from "../../lib/http/limit-bodies";
import type { RunningContext } from "../context";
import { DbNotifications } from "../db/notifications";
import { ExchangeError } from "../errors";
import { SharedLimits } from "../limits/shared-limits";
import { addressRoutes } from "./addresses";
import { assetRoutes } from "./assets";
import { authRoutes } from "./auth";
import type { Env } from "./env";
import { toErrorResponse } from "./error-responses";
import { kycRoutes } from "./kyc";
import { awaitReadiness, readCaller, requestFrame, requireStrictJson } from "./middleware";
import { makeDocument } from "./openapi-document";
import { orderEventRoutes } from "./order-events";
import type { StreamSettings } from "./order-stream-hub";
import { orderRoutes } from "./orders";
import { personalDataRoutes } from "./personal-data";
import { priceAlertRoutes } from "./price-alerts";
import { pushRoutes } from "./push";
import { quoteRoutes } from "./quotes";
import { limitPerNetwork, limitWrites } from "./rate-limits";
import { rateRoutes } from "./rates";
import { createRouter } from "./router";
import { statusRoutes } from "./status";
import { supportRoutes } from "./support";
import { trackingRoutes } from "./tracking";
import { userRoutes } from "./users";

export type ApiOptions = {
  /** False until the exchange is ready for its first swap, then true. */
  isReady?: () => boolean;
  /** Changes to the settings of event streams. */
  streams?: Partial<StreamSettings>;
  /** What the database announces to the event streams; by default nothing. */
  notifications?: DbNotifications;
  /** The limits shared with other processes; by default, this API has its own. */
  limits?: SharedLimits;
};

/**
 * The HTTP API: every path under /api. It authenticates by the X-Auth-Token header and ignores
 * cookies. Errors have the contract's shape.
 */
export function createApi(ctx: RunningContext, options: ApiOptions = {}): OpenAPIHono<Env> {
  const app = createRouter();
  const isReady = options.isReady ?? (() => true);
  const notifications = options.notifications ?? new DbNotifications();
  const limits = options.limits ?? new SharedLimits(ctx.config.secret);
  const { requestsPerAddressPerMinute, writesPerAccountPerMinute } = ctx.config.limits;
  app.onError((error, c) => toErrorResponse(c, error, ctx.log));
  app.use(requestFrame());
  app.use(awaitReadiness(isReady));
  app.use(limitPerNetwork(limits.perMinute("requests", requestsPerAddressPerMinute)));
  app.use(
    limitBodies(() => {
      throw new ExchangeError("body_too_large");
    }),
  );
  app.use(requireStrictJson());
  app.use(readCaller(ctx));
  app.use(limitWrites(limits.perMinute("writes", writesPerAccountPerMinute)));
  app.use(
    methodNotAllowed<Env>({
      app,
      onMethodNotAllowed: (c, methods) => {
        const response = toErrorResponse(c, new ExchangeError("method_not_allowed"), ctx.log);
        response.headers.set("Allow", methods.join(", "));
        return response;
      },
    }),
  );

  app.route("/", authRoutes(ctx));
  app.route("/", userRoutes(ctx));
  app.route("/", personalDataRoutes(ctx));
  app.route("/", kycRoutes(ctx));
  app.route("/", assetRoutes());
  app.route("/", rateRoutes(ctx));
  app.route("/", statusRoutes(ctx, isReady));
  app.route("/", supportRoutes(ctx));
  app.route("/", addressRoutes(ctx, limits));
  app.route("/", priceAlertRoutes(ctx));
  app.route("/", pushRoutes(ctx));
  app.route("/", quoteRoutes(ctx));
  app.route("/", orderRoutes(ctx));
  app.route("/", trackingRoutes(ctx, limits));
  app.route("/", orderEventRoutes(ctx, limits, { settings: options.streams, notifications }));

  serveDocument(app, ctx.config.origin);
  app.notFound((c) => toErrorResponse(c, new ExchangeError("not_found"), ctx.log));
  return app;
}

/** The API's description at /api/openapi.json. Created once, because that takes 50 ms and anyone can request it. */
function serveDocument(app: OpenAPIHono<Env>, origin: string): void {
  let text: string | undefined;
  app.get("/api/openapi.json", (c) => {
    text ??= JSON.stringify(makeDocument(app, origin));
    return c.body(text, 200, { "Content-Type": "application/json" });
  });
}

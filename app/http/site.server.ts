import type { HttpBindings } from "@hono/node-server";
import { createRequestHandler, type ServerBuild } from "@remix-run/node";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { isExchangeReady } from "../api/exchange.server";
import { answerApi, answerSandbox, answerStarting } from "../api/pass-through.server";
import type { Config } from "../config.server";
import { isOwnOrigin } from "../session/origin.server";
import { compressPage } from "./compress-page.server";
import { refuseUnknownMethods, toKnownMethod } from "./refuse-methods.server";
import { toSecurityHeaders } from "./security-headers.server";

export type SiteBindings = HttpBindings & { remoteAddress: string; requestId: string };

/**
 * Everything but static files: the API and the sandbox's calls straight to the exchange, in
 * front of Remix (ten times as fast), and Remix behind the origin guard.
 */
export function createSite(build: ServerBuild, config: Config): Hono<{ Bindings: SiteBindings }> {
  const handle = createRequestHandler(refuseUnknownMethods(build), "production");
  const headers = Object.entries(toSecurityHeaders(config));
  const site = new Hono<{ Bindings: SiteBindings }>();

  // Redirects and resource routes of Remix do not pass its entry, where documents get theirs.
  site.use(async (c, next) => {
    await next();
    for (const [name, value] of headers) if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    if (!c.res.headers.has("Cache-Control")) c.res.headers.set("Cache-Control", "no-store");
  });
  site.use(bodyLimit({ maxSize: 64 * 1024, onError: (c) => c.text("Too large", 413) }));

  site.all("/api/*", (c) =>
    isExchangeReady() ? answerApi(c.req.raw, c.env.remoteAddress) : Promise.resolve(answerStarting()),
  );
  site.all("/sandbox/:call{.+}", (c) =>
    isExchangeReady() ? answerSandbox(c.req.raw) : Promise.resolve(answerStarting()),
  );

  site.all("*", async (c) => {
    const request = c.req.raw;
    if (!isOwnOrigin(request, config.origin)) {
      return c.text("This request did not come from this site.", 403, { "Cache-Control": "no-store" });
    }
    const { remoteAddress, requestId } = c.env;
    const response = await handle(toKnownMethod(request), { remoteAddress, requestId });
    return compressPage(response, request.headers.get("accept-encoding") ?? "");
  });

  site.onError((_error, c) => c.text("Something went wrong on our side.", 500, { "Cache-Control": "no-store" }));
  return site;
}

import { createRequestHandler, type ServerBuild } from "@remix-run/node";
import { type Context, Hono } from "hono";
import type { Config } from "../config/config.server";
import { getLog, toLoggedPath } from "../config/log.server";
import type { ClientInfo } from "../exchange-binding/exchange";
import { getSharedLimits, isExchangeReady } from "../exchange-binding/exchange.server";
import { limitBodies } from "../lib/http/limit-bodies";
import { onlyReads } from "../lib/http/methods";
import { isOwnOrigin } from "../session/origin.server";
import { findScope } from "../session/scope.server";
import { handleApiRequest, handleSandboxRequest, respondNotServed, respondStarting } from "./api-mount.server";
import { compressPage } from "./compress-page.server";
import { limitConcurrentPages, limitPages, limitSandboxCalls } from "./limit-pages.server";
import { asksForHtml, toReadableError, toRefusalPage } from "./refusal-page.server";
import { toRefusalBody } from "./refusals.server";
import { refuseUnknownMethods, toKnownMethod } from "./refuse-methods.server";
import { toSecurityHeaders } from "./security-headers.server";
import { toWholeRequest } from "./whole-request.server";

export type SiteBindings = Required<ClientInfo> & {
  /** The page is rendered for everyone who waits for it, not only for this visitor. */
  isForEveryone?: true;
};

/**
 * Everything but static files. Requests for the API and the sandbox go straight to the
 * exchange, which is ten times faster than through Remix; all others pass a limit per network and
 * the origin check, and go to Remix.
 */
export function createSite(build: ServerBuild, config: Config): Hono<{ Bindings: SiteBindings }> {
  const handle = createRequestHandler(refuseUnknownMethods(build), "production");
  const site = createFrame(config);
  const { host: ownHost } = new URL(config.origin);
  site.all("/api/*", callApi);
  const { requestsPerAddressPerMinute } = config.exchange.limits;
  const sandboxCalls = getSharedLimits().perMinute("sandbox", requestsPerAddressPerMinute);
  site.all("/sandbox/:call{.+}", limitSandboxCalls(sandboxCalls), (c) =>
    isExchangeReady() ? handleSandboxRequest(c.req.raw, c.env) : Promise.resolve(respondStarting()),
  );

  const pages = getSharedLimits().perMinute("pages", requestsPerAddressPerMinute);
  site.all("*", limitPages(pages), limitConcurrentPages(), async (c) => {
    const request = c.req.raw;
    const { host, pathname, search } = new URL(request.url);
    // On another host, forms, passkeys and wallets do not work.
    if (isForDocument(request) && host !== ownHost) return c.redirect(`${config.origin}${pathname}${search}`);
    if (!isOwnOrigin(request, config.origin) || hasForeignHost(request, config.origin)) {
      return refuseForeign(c);
    }
    const { remoteAddress, requestId } = c.env;
    // Remix removes the suffix before loaders see the request.
    const isDataRequest = pathname.endsWith(".data");
    const context = { remoteAddress, requestId, isDataRequest };
    const handled = await handle(toKnownMethod(toWholeRequest(request)), context);
    const response = toReadableError(request, handled);
    // Every response carries the renewed session, because the exchange would treat the old one as stolen.
    const scope = await findScope(context);
    scope?.writeCookies(response.headers);
    scope?.writeRetryAfter(response);
    return compressPage(response, request.headers.get("accept-encoding") ?? "");
  });
  return site;
}

/** What a process with the role `worker` serves: only its status, for health checks. */
export function createWorkerSite(config: Config): Hono<{ Bindings: SiteBindings }> {
  const site = createFrame(config);
  site.all("/api/status", callApi);
  site.all("*", () => respondNotServed());
  return site;
}

/** An empty site that adds the security headers and limits the size of bodies. */
function createFrame(config: Config): Hono<{ Bindings: SiteBindings }> {
  const headers = Object.entries(toSecurityHeaders(config));
  const site = new Hono<{ Bindings: SiteBindings }>();
  // Documents get these headers in entry.server.tsx; redirects and resource routes do not pass through it.
  site.use(async (c, next) => {
    await next();
    for (const [name, value] of headers) if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    if (!c.res.headers.has("Cache-Control")) c.res.headers.set("Cache-Control", "no-store");
  });
  site.use(limitBodies((c) => refuse(c, 413, "The request is too large.")));
  site.onError((error, c) => {
    const { method, url, signal } = c.req.raw;
    const { requestId } = c.env;
    // If the client has closed the connection, that is the reason.
    if (!signal.aborted) getLog().error({ err: error, method, path: toLoggedPath(url), requestId }, "A request failed");
    return refuse(c, 500, "Something went wrong on our side.", requestId);
  });
  return site;
}

function refuse(c: Context, status: 413 | 500, message: string, failedId?: string): Response {
  const { type, text } = toRefusalBody(c.req.path, status, message, failedId);
  return c.body(text, status, { "Content-Type": type, "Cache-Control": "no-store" });
}

async function callApi({ req, env }: Context<{ Bindings: SiteBindings }>): Promise<Response> {
  return isExchangeReady() ? handleApiRequest(req.raw, env) : respondStarting();
}

/** Whether a browser opens a page without sending a form. */
function isForDocument(request: Request): boolean {
  return onlyReads(request) && asksForHtml(request);
}

function refuseForeign(c: Context): Response {
  const message = "This request didn't come from this site.";
  const headers = { "Cache-Control": "no-store" };
  if (!asksForHtml(c.req.raw)) return c.text(message, 403, headers);
  const text = `${message} Nothing was changed. Open the page on this site and try again.`;
  return c.html(toRefusalPage({ title: "This request was refused", text }), 403, headers);
}

/** Whether the host of a POST's Origin differs from ours or from its Host header. Remix would respond with a 500. */
function hasForeignHost({ method, headers }: Request, origin: string): boolean {
  const sender = headers.get("origin");
  if (method !== "POST" || sender === null) return false;
  if (!URL.canParse(sender)) return true;
  const { host } = new URL(sender);
  return host !== new URL(origin).host || host !== headers.get("host");
}

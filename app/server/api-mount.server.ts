/** Handles /api/* and /sandbox/*, for server.ts and for Remix's resource routes. */
import { getConfig } from "../config/config.server";
import { getLog, toLoggedPath } from "../config/log.server";
import type { ClientInfo } from "../exchange-binding/exchange";
import { getExchange } from "../exchange-binding/exchange.server";
import { toSecurityHeaders } from "./security-headers.server";

/** Passes a request for /api/* to the exchange. */
export async function handleApiRequest(request: Request, client: ClientInfo): Promise<Response> {
  return respond(request, client, async () => (await getExchange()).fetch(request, client));
}

/** Passes a request for /sandbox/* to the sandbox; 404 if there is none. */
export async function handleSandboxRequest(request: Request, client: ClientInfo): Promise<Response> {
  return respond(request, client, async () => {
    if (!getConfig().hasSandbox) return notFound();
    const { sandbox } = await getExchange();
    return sandbox ? sandbox.fetch(request, client) : notFound();
  });
}

/** The response until the exchange has booted. */
export function respondStarting(): Response {
  return withSecurityHeaders(toErrorResponse(503, "starting", "The exchange is starting.", { "Retry-After": "1" }));
}

/** The response of a process that does not serve what was requested. */
export function respondNotServed(): Response {
  return withSecurityHeaders(toErrorResponse(404, "not_found", "This process runs jobs and serves only /api/status."));
}

async function respond(request: Request, client: ClientInfo, send: () => Promise<Response>): Promise<Response> {
  try {
    return withSecurityHeaders(await send());
  } catch (error) {
    // If the client has closed the connection, that is the reason for the error, and nobody receives the response.
    if (!request.signal.aborted) {
      const { method, url } = request;
      const { requestId } = client;
      getLog().error({ err: error, method, path: toLoggedPath(url), requestId }, "A request to the exchange failed");
    }
    const isLate = error instanceof DOMException && error.name === "TimeoutError";
    return withSecurityHeaders(toErrorResponse(isLate ? 504 : 502, "internal", "The exchange did not respond."));
  }
}

function notFound(): Response {
  return toErrorResponse(404, "not_found", "Not found.");
}

function toErrorResponse(status: number, code: string, message: string, headers?: HeadersInit): Response {
  return Response.json({ detail: { message, code } }, { status, headers });
}

/** Adds the security headers. The exchange made the response for this request, so its headers can be changed. */
function withSecurityHeaders(response: Response): Response {
  const { headers } = response;
  for (const [name, value] of Object.entries(toSecurityHeaders(getConfig()))) headers.set(name, value);
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  return response;
}

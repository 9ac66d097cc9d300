/** What server.ts and the resource routes do alike with /api/* and /sandbox/*. */
import { getConfig } from "../config.server";
import { toSecurityHeaders } from "../http/security-headers.server";
import { getLog, toLoggedPath } from "../log.server";
import { getExchange } from "./exchange.server";

/** A call of /api/*, answered by the exchange; 500 without details where it fails itself. */
export async function answerApi(request: Request, remoteAddress?: string): Promise<Response> {
  return answer(request, async () => (await getExchange()).fetch(request, { remoteAddress }));
}

/** A call of /sandbox/*; 404 where there is none. */
export async function answerSandbox(request: Request): Promise<Response> {
  return answer(request, async () => {
    if (!getConfig().hasSandbox) return notFound();
    const { sandbox } = await getExchange();
    return sandbox ? sandbox.fetch(request) : notFound();
  });
}

/** Until the exchange has booted. */
export function answerStarting(): Response {
  return secured(refusal(503, "starting", "The exchange is starting.", { "Retry-After": "1" }));
}

async function answer(request: Request, ask: () => Promise<Response>): Promise<Response> {
  try {
    return secured(await ask());
  } catch (error) {
    getLog().error({ err: error, method: request.method, path: toLoggedPath(request.url) }, "a call failed");
    return secured(refusal(502, "internal", "The exchange did not answer."));
  }
}

function notFound(): Response {
  return refusal(404, "not_found", "Not found.");
}

function refusal(status: number, code: string, message: string, headers?: HeadersInit): Response {
  return Response.json({ detail: { message, code } }, { status, headers });
}

/** A response of `fetch` has headers that cannot be changed; ours can. The body streams on. */
function secured(response: Response): Response {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(toSecurityHeaders(getConfig()))) headers.set(name, value);
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

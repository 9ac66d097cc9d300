import { randomBytes } from "node:crypto";
import { PassThrough } from "node:stream";
import type {
  ActionFunctionArgs,
  AppLoadContext,
  EntryContext,
  HandleDataRequestFunction,
  LoaderFunctionArgs,
} from "@remix-run/node";
import { createReadableStreamFromReadable } from "@remix-run/node";
import { RemixServer } from "@remix-run/react";
import { isbot } from "isbot";
import { renderToPipeableStream } from "react-dom/server";
import { getConfig } from "./config.server";
import { NonceContext } from "./http/nonce";
import { type HeaderPolicy, toSecurityHeaders } from "./http/security-headers.server";
import { getLog, toLoggedPath } from "./log.server";
import { findScope } from "./session/scope.server";
import { readingMethods } from "./session/site-action.server";

/** Deferred data that takes longer is given up; React's own stream a moment later. */
export const streamTimeout = 8_000;
const abortDelayMs = streamTimeout + 1_000;

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  loadContext: AppLoadContext,
): Promise<Response> {
  const nonce = randomBytes(16).toString("base64");
  await complete(headers, loadContext, nonce);
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (status === 405) headers.set("Allow", toAllowed(context));
  // Who reads without scripts gets the whole page at once.
  const waits = isbot(request.headers.get("user-agent"));

  return new Promise((resolve, reject) => {
    let sent = false;
    let finalStatus = status;
    const send = () => {
      sent = true;
      const body = new PassThrough();
      resolve(new Response(createReadableStreamFromReadable(body), { status: finalStatus, headers }));
      pipe(body);
    };
    const { pipe, abort } = renderToPipeableStream(
      <NonceContext.Provider value={nonce}>
        <RemixServer context={context} url={request.url} nonce={nonce} abortDelay={abortDelayMs} />
      </NonceContext.Provider>,
      {
        nonce,
        onShellReady: () => {
          if (!waits) send();
        },
        onAllReady: () => {
          if (waits) send();
          clearTimeout(timer);
        },
        onShellError: (error) => {
          clearTimeout(timer);
          reject(error);
        },
        onError: (error) => {
          finalStatus = 500;
          // Before the shell is sent Remix renders anew with the error, and reports it itself.
          if (sent) handleError(error, { request, context: loadContext, params: {} });
        },
      },
    );
    const timer = setTimeout(abort, abortDelayMs);
    timer.unref();
  });
}

/** Seconds from the intent to go somewhere to going there, at most. */
const prefetchLifetime = 10;

export const handleDataRequest: HandleDataRequestFunction = async (response, { request, context }) => {
  // Fetched at the intent, and of nobody: kept for the click, where `no-cache` would have it fetched again.
  const isPrefetch = request.headers.get("sec-purpose")?.startsWith("prefetch") === true;
  await complete(response.headers, context);
  if (isPrefetch && response.headers.get("Cache-Control") === "no-cache") {
    response.headers.set("Cache-Control", `private, max-age=${prefetchLifetime}`);
  }
  return response;
};

/** Logged with the request's id; what the browser reads of it in production is "Unexpected Server Error". */
export function handleError(error: unknown, { request, context }: LoaderFunctionArgs | ActionFunctionArgs): void {
  if (request.signal.aborted) return;
  getLog().error(
    { err: error, method: request.method, path: toLoggedPath(request.url), requestId: context.requestId },
    "a request of the site failed",
  );
}

/** Security headers, this request's cookies, and no copy of what is for one person (T10). */
async function complete(headers: Headers, context: AppLoadContext, nonce?: string): Promise<void> {
  for (const [name, value] of Object.entries(toSecurityHeaders(policy(), nonce))) headers.set(name, value);
  const scope = await findScope(context);
  scope?.attach(headers);
  if (scope?.isPrivate) headers.set("Cache-Control", "private, no-store");
  else if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-cache");
  headers.append("Vary", "Cookie");
}

/** What the page that was asked takes; Remix hands no header of a refusal on to its document. */
function toAllowed({ manifest, staticHandlerContext }: EntryContext): string {
  const page = staticHandlerContext.matches.at(-1)?.route.id ?? "";
  return [...readingMethods, ...(manifest.routes[page]?.hasAction ? ["POST"] : [])].join(", ");
}

function policy(): HeaderPolicy {
  return { ...getConfig(), development: import.meta.env.DEV };
}

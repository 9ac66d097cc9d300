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
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { isbot } from "isbot";
import { renderToPipeableStream } from "react-dom/server";
import { DocumentContext } from "./components/shell/document-context";
import { isWithoutScripts } from "./components/shell/use-scripts";
import { getConfig } from "./config/config.server";
import { getLog, toLoggedPath } from "./config/log.server";
import { onlyReads, readingMethods } from "./lib/http/methods";
import { toLinkPreview } from "./server/link-preview.server";
import { type HeaderPolicy, toSecurityHeaders } from "./server/security-headers.server";
import { findScope } from "./session/scope.server";

/** Deferred data that takes longer fails; React's stream is aborted a second later. */
export const streamTimeout = 8_000;
const abortDelayMs = streamTimeout + 1_000;

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  loadContext: AppLoadContext,
): Promise<Response> {
  const nonce = hasReact(context) ? randomBytes(16).toString("base64") : undefined;
  await addHeaders(headers, request, loadContext, nonce);
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (status === 405) headers.set("Allow", toAllowed(context));
  // Crawlers do not run scripts, so they get the page only when it is complete.
  const isCrawler = isbot(request.headers.get("user-agent"));

  return new Promise((resolve, reject) => {
    const body = new PassThrough();
    let sent = false;
    let finalStatus = status;
    const send = () => {
      sent = true;
      resolve(new Response(createReadableStreamFromReadable(body), { status: finalStatus, headers }));
      pipe(body);
    };
    const { pipe, abort } = renderToPipeableStream(
      <DocumentContext.Provider value={{ nonce, preview: toLinkPreview(context, getConfig().origin) }}>
        <RemixServer context={context} url={request.url} nonce={nonce} abortDelay={abortDelayMs} />
      </DocumentContext.Provider>,
      {
        nonce,
        onShellReady: () => {
          if (!isCrawler) send();
        },
        onAllReady: () => {
          if (isCrawler) send();
          clearTimeout(timer);
        },
        onShellError: (error) => {
          clearTimeout(timer);
          reject(error);
        },
        onError: (error) => {
          finalStatus = 500;
          // Before the shell is sent, Remix renders again with the error and reports it itself. Afterwards, an
          // error may only mean that the client has stopped reading.
          if (sent && !body.destroyed) handleError(error, { request, context: loadContext, params: {} });
        },
      },
    );
    const timer = setTimeout(abort, abortDelayMs);
    timer.unref();
  });
}

/** How long a prefetched page may wait for the click, in seconds. */
const prefetchMaxAge = 10;

export const handleDataRequest: HandleDataRequestFunction = async (response, { request, context }) => {
  // Signed-out data fetched on hover may be reused for the click; with `no-cache` it would be fetched again.
  const isPrefetch = request.headers.get("sec-purpose")?.startsWith("prefetch") === true;
  await addHeaders(response.headers, request, context);
  if (response.status === 405 && context.allowedMethods)
    response.headers.set("Allow", context.allowedMethods.join(", "));
  if (isPrefetch && response.headers.get("Cache-Control") === "no-cache") {
    response.headers.set("Cache-Control", `private, max-age=${prefetchMaxAge}`);
  }
  return response;
};

/** Logs the error with the request's id. In production the browser only receives "Unexpected Server Error". */
export function handleError(error: unknown, { request, context }: LoaderFunctionArgs | ActionFunctionArgs): void {
  // Remix also reports URLs that match no route. The request's log line already shows those.
  const isRefusal = isRouteErrorResponse(error) && error.status < 500;
  if (request.signal.aborted || isRefusal) return;
  getLog().error(
    { err: error, method: request.method, path: toLoggedPath(request.url), requestId: context.requestId },
    "A page request failed",
  );
}

/**
 * Adds the security headers and this request's cookies, and keeps private and incomplete pages out of caches
 * (T10). A response to a post repeats what the visitor entered.
 */
async function addHeaders(headers: Headers, request: Request, context: AppLoadContext, nonce?: string): Promise<void> {
  // A route may have set a stricter header.
  for (const [name, value] of Object.entries(toSecurityHeaders(policy(), nonce))) {
    if (!headers.has(name)) headers.set(name, value);
  }
  const scope = await findScope(context);
  scope?.writeCookies(headers);
  if (scope?.isPrivate || !onlyReads(request) || context.isIncomplete)
    headers.set("Cache-Control", "private, no-store");
  else if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-cache");
  headers.append("Vary", "Cookie, Accept-Language");
}

/** Whether the document has Remix's inline scripts. The others get a policy that allows none. */
function hasReact({ routeModules, staticHandlerContext }: EntryContext): boolean {
  return !staticHandlerContext.matches.some(({ route }) => isWithoutScripts(routeModules[route.id]?.handle));
}

/** The methods that the requested page accepts. Remix does not copy a 405 response's headers to its document. */
function toAllowed({ manifest, staticHandlerContext }: EntryContext): string {
  const page = staticHandlerContext.matches.at(-1)?.route.id ?? "";
  return [...readingMethods, ...(manifest.routes[page]?.hasAction ? ["POST"] : [])].join(", ");
}

function policy(): HeaderPolicy {
  return { ...getConfig(), development: import.meta.env.DEV };
}

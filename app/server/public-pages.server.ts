/**
 * Keeps the pages that are the same for every signed-out visitor as bytes, in front of Remix.
 * docs/decisions/0025-keep-public-pages-as-bytes.md explains which pages may be cached, and why.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import fresh from "fresh";
import { LRUCache } from "lru-cache";
import { toClientNetwork } from "../lib/client-network";
import { toVisitedCookie } from "../session/cookies.server";
import { chooseEncoding } from "./choose-encoding.server";
import { hashInlineScripts } from "./hash-inline-scripts.server";
import { createRouteInliner } from "./inline-routes.server";
import { inlineStyles } from "./inline-styles.server";
import { createPageQueue } from "./limit-pages.server";
import { type PublicPageRequest, readPublicPageRequest } from "./public-page-request.server";
import type { SiteBindings } from "./site.server";
import { StoredPage } from "./stored-page.server";

type Options = {
  origin: string;
  /** For Secure cookies. */
  secure: boolean;
  /** Renders a page. `visit` belongs to the request that caused it. */
  render(request: Request, visit: SiteBindings): Promise<Response>;
  /** The text of a built style sheet or script; undefined if there is none at this path. */
  readText(path: string): string | undefined;
};
export type ServePage = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  visit: SiteBindings,
  next: () => void,
) => void;

/** The maximum age of a page. The next request then renders it again, and other requests wait for the result. */
const maxAgeMs = 1_000;
/** In bytes of uncompressed HTML: about 500 pages. Their compressed forms add about half. */
const maxBytes = 32 * 1024 * 1024;
const maxPageBytes = 512 * 1024;
/** How long requests wait for a page that is rendered for all of them. After that, each gets its own. */
const maxWaitMs = 10_000;
/** The variants of a public page. */
const vary = "Cookie, Accept-Language, Accept-Encoding, Prefer";

/** Sends a public page, or calls `next` if the request is not for one, is for another host, or it could not be cached. */
export function createPublicPages(options: Options): ServePage {
  const { host } = new URL(options.origin);
  const inlineRoutes = createRouteInliner(options.readText);
  const inTurn = createPageQueue();
  /** The keys of the pages that are being rendered. */
  const rendering = new Set<string>();
  const pages = new LRUCache<string, StoredPage, { request: PublicPageRequest; visit: SiteBindings }>({
    ttl: maxAgeMs,
    ttlResolution: 0,
    // `fetchMethod` compares the new page with the expired one.
    noDeleteOnStaleGet: true,
    maxSize: maxBytes,
    maxEntrySize: maxPageBytes,
    sizeCalculation: ({ bytes }) => bytes,
    ignoreFetchAbort: true,
    fetchMethod: async (key, before, { context: { request, visit } }) => {
      rendering.add(key);
      const page = await inTime(render(request, visit)).finally(() => rendering.delete(key));
      // The page is unchanged, so keep the compressed bytes.
      return page && page.etag === before?.etag ? before : page;
    },
  });

  return (incoming, outgoing, visit, next) => {
    const request = incoming.headers.host === host ? readPublicPageRequest(incoming) : null;
    if (request === null) {
      next();
      return;
    }
    const { path, isMinimal, appearance } = request;
    const key = `${path}\n${isMinimal}\n${appearance.acceptLanguage}\n${appearance.cookie}`;
    const respond = (page: StoredPage) => send(page, { incoming, outgoing, visit, visited: toCookie(request) });
    const known = pages.get(key);
    const responded = known
      ? respond(known)
      : load(key, request, visit)
          .catch(() => undefined)
          .then((page) => (page ? respond(page) : next()));
    responded.catch(() => outgoing.destroy());
  };

  /**
   * Waits for the turn of the visitor's network before the page counts as being rendered. Otherwise, if a network
   * requests many pages, all other visitors to the page would have to wait for its turn (T14).
   */
  async function load(key: string, request: PublicPageRequest, visit: SiteBindings): Promise<StoredPage | undefined> {
    const fetchPage = () => pages.fetch(key, { context: { request, visit } });
    return rendering.has(key) ? fetchPage() : inTurn(toClientNetwork(visit.remoteAddress), fetchPage);
  }

  async function render(request: PublicPageRequest, visit: SiteBindings): Promise<StoredPage | undefined> {
    const response = await options.render(toRequest(request, options.origin), visit);
    return toStoredPage(response, { inlineRoutes, readStyles: request.isMinimal ? null : options.readText });
  }

  function toCookie({ isFirstVisit }: PublicPageRequest): string | null {
    return isFirstVisit ? toVisitedCookie(options.secure) : null;
  }
}

/** Rejects after `maxWaitMs`. */
async function inTime<T>(result: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(reject, maxWaitMs, new Error("The page took too long."));
  });
  return Promise.race([result, late]).finally(() => clearTimeout(timer));
}

/** The request to render: made from the key alone, so that the page contains nothing else from a visitor's request. */
function toRequest({ path, appearance }: PublicPageRequest, origin: string): Request {
  const { acceptLanguage, cookie } = appearance;
  return new Request(new URL(path, origin), { headers: { "Accept-Language": acceptLanguage, Cookie: cookie } });
}

type Inlining = { inlineRoutes(html: string): string; readStyles: Options["readText"] | null };

/** Undefined unless the response is a whole page that says it is the same for everyone. */
async function toStoredPage(
  response: Response,
  { inlineRoutes, readStyles }: Inlining,
): Promise<StoredPage | undefined> {
  const { status, headers } = response;
  const type = headers.get("Content-Type") ?? "";
  const isPublic = headers.get("Cache-Control") === "no-cache" && !headers.has("Set-Cookie");
  if (status !== 200 || !isPublic || !type.startsWith("text/html")) {
    await response.body?.cancel();
    return undefined;
  }
  const policy = headers.get("Content-Security-Policy") ?? "";
  const hashed = hashInlineScripts({ html: inlineRoutes(await response.text()), policy });
  if (hashed === null) return undefined;
  const page = readStyles ? inlineStyles(hashed, readStyles) : hashed;
  headers.set("Content-Security-Policy", page.policy);
  headers.set("Vary", vary);
  headers.delete("Content-Length");
  return new StoredPage(page.html, Object.fromEntries(headers));
}

type Sending = { incoming: IncomingMessage; outgoing: ServerResponse; visit: SiteBindings; visited: string | null };

async function send(page: StoredPage, { incoming, outgoing, visit, visited }: Sending): Promise<void> {
  const { etag } = page;
  const headers = { ...page.headers, "X-Request-Id": visit.requestId };
  if (visited === null && fresh({ "if-none-match": incoming.headers["if-none-match"] }, { etag })) {
    outgoing.writeHead(304, { ...headers, ETag: etag }).end();
    return;
  }
  const encoding = chooseEncoding(incoming.headers["accept-encoding"], ["br", "gzip"]);
  const compressed = page.body(encoding);
  // Awaits only if it is a promise, so that bytes that are ready are sent at once.
  const body = compressed instanceof Promise ? await compressed : compressed;
  outgoing.writeHead(200, {
    ...headers,
    "Content-Length": body.length,
    ...(encoding !== "identity" && { "Content-Encoding": encoding }),
    // T10: a response with a cookie is this visitor's own.
    ...(visited === null ? { ETag: etag } : { "cache-control": "private, no-store", "Set-Cookie": visited }),
  });
  outgoing.end(incoming.method === "HEAD" ? undefined : body);
}

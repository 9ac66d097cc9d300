import { getConfig } from "../config.server";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * T2: may this request change anything? `Sec-Fetch-Site`, where a browser sends it, must be
 * `same-origin`; where it does not, `Origin` must be ours to the letter. A request that
 * names neither is refused: everything Remix serves is for browsers.
 */
export function isOwnOrigin(request: { method: string; headers: Headers }, origin: string): boolean {
  if (safeMethods.has(request.method)) return true;
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  return request.headers.get("origin") === origin;
}

/** Throws 403 where the request comes from elsewhere. */
export function refuseForeignOrigin(request: Request): void {
  if (isOwnOrigin(request, getConfig().origin)) return;
  throw new Response("This request did not come from this site.", {
    status: 403,
    headers: { "Cache-Control": "no-store", "Content-Type": "text/plain; charset=utf-8" },
  });
}

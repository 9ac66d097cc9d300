import { getConfig } from "../config/config.server";
import { isSafe } from "../lib/http/methods";

/**
 * T2: whether the request passes the origin check, which safe methods always do. For others, `Sec-Fetch-Site` must be
 * `same-origin`; browsers that do not send it must send exactly this site's `Origin`. With neither header, it fails.
 */
export function isOwnOrigin(request: { method: string; headers: Headers }, origin: string): boolean {
  if (isSafe(request)) return true;
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  return request.headers.get("origin") === origin;
}

/**
 * T2: whether something other than a page of this site started the request, such as another site or a link in an
 * e-mail. For safe methods that have an effect, such as a download that is counted and reported. Browsers that do not
 * send `Sec-Fetch-Site` pass.
 */
export function isStartedElsewhere({ headers }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  return site !== null && site !== "same-origin";
}

/** @throws a 403 response if the request comes from another origin */
export function refuseForeignOrigin(request: Request): void {
  if (isOwnOrigin(request, getConfig().origin)) return;
  throw new Response("This request didn't come from this site.", {
    status: 403,
    headers: { "Cache-Control": "no-store", "Content-Type": "text/plain; charset=utf-8" },
  });
}

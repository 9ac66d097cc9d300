import type { Context } from "hono";
import type { RouterRoute } from "hono/types";
import { ExchangeError } from "../errors";

/**
 * The error for a call that matches no route: 405 with an `Allow` header if its path exists for other methods, else
 * 404.
 */
export function toUnknownCallError(c: Pick<Context, "req" | "header">, routes: RouterRoute[]): ExchangeError {
  const allowed = methodsOf(routes, c.req.path);
  if (allowed.length === 0) return new ExchangeError("not_found");
  c.header("Allow", allowed.join(", "));
  return new ExchangeError("method_not_allowed");
}

/** The methods that have a route for the path. */
function methodsOf(routes: RouterRoute[], path: string): string[] {
  const methods = new Set<string>();
  const parts = path.split("/");
  for (const route of routes) {
    if (route.method === "ALL") continue;
    const pattern = route.path.split("/");
    const matches =
      pattern.length === parts.length &&
      // Parameters may have patterns (`:id{[0-9]+}`), which are ignored here.
      pattern.every((part, i) => (part.startsWith(":") ? parts[i] !== "" : part === parts[i]));
    if (!matches) continue;
    methods.add(route.method);
    // Hono answers HEAD with the route of GET.
    if (route.method === "GET") methods.add("HEAD");
  }
  return [...methods];
}

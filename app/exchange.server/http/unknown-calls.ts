import type { Context } from "hono";
import type { RouterRoute } from "hono/types";
import { ExchangeError } from "../errors";

/** Why a call that no route took is refused: its path is unknown, or known under other methods, which `Allow` then names. */
export function refuseUnknown(c: Pick<Context, "req" | "header">, routes: RouterRoute[]): ExchangeError {
  const allowed = methodsOf(routes, c.req.path);
  if (allowed.length === 0) return new ExchangeError("not_found");
  c.header("Allow", allowed.join(", "));
  return new ExchangeError("method_not_allowed");
}

/** The methods under which a path is known; empty where it is known under none. */
function methodsOf(routes: RouterRoute[], path: string): string[] {
  const methods = new Set<string>();
  const parts = path.split("/");
  for (const route of routes) {
    if (route.method === "ALL") continue;
    const pattern = route.path.split("/");
    const fits =
      pattern.length === parts.length &&
      // A parameter may be restricted (`:id{[0-9]+}`); for the list of methods any value will do.
      pattern.every((part, i) => (part.startsWith(":") ? parts[i] !== "" : part === parts[i]));
    if (fits) methods.add(route.method);
  }
  return [...methods];
}

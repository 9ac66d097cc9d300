import type { ServerBuild } from "@remix-run/node";
import { methodNotAllowed, readingMethods } from "../session/site-action.server";

const takenMethods = new Set([...readingMethods, "POST"]);

/**
 * Remix answers a method that a route does not take with words for developers. So every
 * route without an action gets one that refuses in ours; those with one refuse by themselves
 * whatever is no POST (`siteAction`).
 */
export function refuseUnknownMethods(build: ServerBuild): ServerBuild {
  const refuse = () => {
    throw methodNotAllowed(readingMethods);
  };
  const routes = Object.entries(build.routes).map(([id, route]) => [
    id,
    route && { ...route, module: { ...route.module, action: route.module.action ?? refuse } },
  ]);
  return { ...build, routes: Object.fromEntries(routes) };
}

/** Methods that Remix has never heard of reach those actions as one that it has. What they carry is not read. */
export function toKnownMethod(request: Request): Request {
  if (takenMethods.has(request.method)) return request;
  return new Request(request.url, { method: "PUT", headers: request.headers, signal: request.signal });
}

import type { ActionFunctionArgs, ServerBuild } from "@remix-run/node";
import { readingMethods } from "../lib/http/methods";
import { methodNotAllowed } from "../session/method-not-allowed.server";

const supportedMethods = new Set([...readingMethods, "POST"]);

/**
 * Gives every route without an action one that responds 405. Remix's own response to a method
 * without an action is an error message for developers. Routes with an action refuse
 * everything but POST themselves (`siteAction`).
 */
export function refuseUnknownMethods(build: ServerBuild): ServerBuild {
  const refuse = ({ context }: ActionFunctionArgs) => {
    throw methodNotAllowed(readingMethods, context);
  };
  const routes = Object.entries(build.routes).map(([id, route]) => [
    id,
    route && { ...route, module: { ...route.module, action: route.module.action ?? refuse } },
  ]);
  return { ...build, routes: Object.fromEntries(routes) };
}

/**
 * Turns methods that Remix does not know into PUT, so that they reach those actions. Their bodies are not read. The
 * origin is removed, because Remix responds to a foreign or unreadable one with a 500.
 */
export function toKnownMethod(request: Request): Request {
  if (supportedMethods.has(request.method)) return request;
  const headers = new Headers(request.headers);
  headers.delete("Origin");
  return new Request(request.url, { method: "PUT", headers, signal: request.signal });
}

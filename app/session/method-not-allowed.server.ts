import type { AppLoadContext } from "@remix-run/node";

/** A 405 response with a short explanation. The error screens replace the text with their own. */
export function methodNotAllowed(allowed: string[], context: AppLoadContext): Response {
  context.allowedMethods = allowed;
  return new Response("This action is not supported here.", {
    status: 405,
    headers: { Allow: allowed.join(", "), "Cache-Control": "no-store", "Content-Type": "text/plain; charset=utf-8" },
  });
}

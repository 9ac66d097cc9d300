import type { ActionFunctionArgs } from "@remix-run/node";
import { refuseForeignOrigin } from "./origin.server";

const guarded = Symbol.for("antelope.guarded-action");

export const readingMethods = ["GET", "HEAD"];

/** 405 in words: the error screens have their own for it, everything else shows these. */
export function methodNotAllowed(allowed: string[]): Response {
  return new Response("This cannot be done here.", {
    status: 405,
    headers: { Allow: allowed.join(", "), "Cache-Control": "no-store", "Content-Type": "text/plain; charset=utf-8" },
  });
}

/**
 * Every action of the site is made with this, so that the origin guard holds in development
 * and under remix-serve too (Remix 2 has no middleware, and runs actions whatever the Origin).
 * A test walks the route table and refuses an action that was not.
 */
export function siteAction<T>(handler: (args: ActionFunctionArgs) => Promise<T>) {
  const action = async (args: ActionFunctionArgs): Promise<T> => {
    if (new URL(args.request.url).searchParams.has("_data")) throw new Response(null, { status: 410 });
    // Remix runs an action for whatever does not read.
    if (args.request.method !== "POST") throw methodNotAllowed([...readingMethods, "POST"]);
    refuseForeignOrigin(args.request);
    return handler(args);
  };
  return Object.assign(action, { [guarded]: true as const });
}

export function isGuardedAction(action: unknown): boolean {
  return typeof action === "function" && guarded in action;
}

const largestForm = 64 * 1024;

/**
 * The fields of a posted form. A field that is given twice, a file, or too large a body is
 * 400 or 413 (T13, T14). The object has no prototype.
 */
export async function readForm(request: Request): Promise<Record<string, string>> {
  if (Number(request.headers.get("content-length") ?? 0) > largestForm) throw new Response(null, { status: 413 });
  const fields: Record<string, string> = Object.create(null);
  let form: FormData;
  try {
    form = await request.formData();
  } catch {
    throw new Response(null, { status: 400 });
  }
  for (const [name, value] of form) {
    if (typeof value !== "string" || name in fields) throw new Response(null, { status: 400 });
    fields[name] = value;
  }
  return fields;
}

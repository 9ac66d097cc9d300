import type { ActionFunctionArgs } from "@remix-run/node";
import { isApiError } from "../api/errors";
import { readingMethods } from "../lib/http/methods";
import { toLogin } from "./guards.server";
import { methodNotAllowed } from "./method-not-allowed.server";
import { refuseForeignOrigin } from "./origin.server";
import { throwAsHttpError } from "./responses.server";
import { getScope } from "./scope.server";

const guarded = Symbol.for("antelope.guarded-action");

/**
 * Wraps an action with the origin check (T2), so that it also applies in development and under remix-serve: Remix 2 has
 * no middleware and does not check the origin. If the session ends between the action's guard and its calls, the
 * visitor is redirected to sign in, as the guard does. Other errors of the API become responses with a status, as in
 * loaders. If a form shows a call's refusal, the action has to catch it (`toRefusal`). A test makes sure that every
 * route's action is wrapped, with two exceptions: routes/api, which does not read cookies, and routes/sandbox-calls,
 * whose calls check the origin themselves.
 */
export function siteAction<T>(handler: (args: ActionFunctionArgs) => Promise<T>) {
  const action = async (args: ActionFunctionArgs): Promise<T> => {
    // Remix would run the action alone, without the checks that documents pass (T2).
    if (new URL(args.request.url).searchParams.has("_data")) throw new Response(null, { status: 410 });
    // Remix runs the action for every method except GET and HEAD.
    if (args.request.method !== "POST") throw methodNotAllowed([...readingMethods, "POST"], args.context);
    refuseForeignOrigin(args.request);
    try {
      return await handler(args);
    } catch (error) {
      if (isApiError(error, 401) && !(await getScope(args)).isSignedIn) throw await toLogin(args);
      // A status tells the browser to keep the page and what was typed (query-cache/cached-loader.ts).
      return throwAsHttpError(error);
    }
  };
  return Object.assign(action, { [guarded]: true as const });
}

/** Whether the action was created with `siteAction`. */
export function isGuardedAction(action: unknown): boolean {
  return typeof action === "function" && guarded in action;
}

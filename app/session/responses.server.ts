/**
 * Responses and errors of loaders and actions, other than data. In development and under remix-serve, none of our code
 * sees a redirect or a resource route's response on its way out, so it would lose a session that the request has
 * renewed. So routes use these functions instead of Remix's `redirect` and `replace`. In production,
 * server/site.server.ts adds the cookies to everything.
 */
import { data, redirect, replace } from "@remix-run/node";
import { type ApiError, ApiUnreachableError, isApiError, isUnavailable, toErrorText } from "../api/errors";
import * as errorTexts from "../lib/error-catalogue";
import { getScope, type ScopeArgs } from "./scope.server";

/** Redirects and replaces the history entry. `path` must be a path of this site (lib/paths, lib/safe-redirect). */
export async function replaceWith(args: ScopeArgs, path: string, headers?: HeadersInit): Promise<Response> {
  return withSessionCookies(args, replace(path, { headers }));
}

/** Redirects to a path of this site. */
export async function redirectTo(args: ScopeArgs, path: string, headers?: HeadersInit): Promise<Response> {
  return withSessionCookies(args, redirect(path, { headers }));
}

/** Adds this request's cookies to a response, and keeps it out of caches. */
export async function withSessionCookies(args: ScopeArgs, response: Response): Promise<Response> {
  response.headers.set("Cache-Control", "private, no-store");
  response.headers.set("X-Content-Type-Options", "nosniff");
  (await getScope(args)).writeCookies(response.headers);
  return response;
}

/** A file to download. `name`: its file name, in ASCII and without quotes. */
export async function sendFile(
  args: ScopeArgs,
  body: BodyInit | null,
  { type, name }: { type: string; name: string },
): Promise<Response> {
  const headers = { "Content-Type": type, "Content-Disposition": `attachment; filename="${name}"` };
  return withSessionCookies(args, new Response(body, { headers }));
}

/** Throws an error whose message the error screens show, even in production. */
export function throwHttpError(message: string, status: number): never {
  throw data({ message }, { status });
}

/**
 * The status of an error page for a call for which a 404 is never correct. If the API's 404 were passed on, the visitor
 * would see a page that says "Not Found".
 */
export function toPageStatus(error: unknown): number {
  if (!isApiError(error)) return 503;
  return error.status === 404 ? 502 : error.status;
}

/** For loaders: resolves with the result of an API call, or throws its error for the error screens. */
export async function unwrapOrThrow<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    return throwAsHttpError(error);
  }
}

/**
 * Throws the error of an API call with the exchange's status and message: 404 for R20's screen, or 503 if the exchange
 * is unreachable or its response can't be used.
 */
export function throwAsHttpError(error: unknown): never {
  if (isApiError(error, 404)) return throwNotFound();
  if (isApiError(error)) return throwHttpError(toErrorText(error), error.status);
  if (error instanceof ApiUnreachableError) return throwHttpError(error.message, 503);
  if (isUnavailable(error)) return throwHttpError(errorTexts.unknown, 503);
  throw error;
}

/**
 * The exchange's refusal of an action's call, for the form to show. Throws everything else again, and a 401 too: the
 * session has ended, and `siteAction` asks to sign in.
 */
export function toRefusal(error: unknown): ApiError {
  if (!isApiError(error) || error.status === 401) throw error;
  return error;
}

/** An action's result after a step: the refusal, for the form to show, or what follows once the step is done. */
export async function whenDone<Refusal, Next>(
  step: Promise<Refusal | "done">,
  next: () => Next | Promise<Next>,
): Promise<Refusal | Next> {
  const result = await step;
  return result === "done" ? next() : result;
}

/** For public pages that render even though a loader could not get all data: the page must not be cached for others. */
export function markIncomplete({ context }: Pick<ScopeArgs, "context">): void {
  context.isIncomplete = true;
}

/** R20: the resource does not exist or belongs to someone else. */
export function throwNotFound(): never {
  return throwHttpError(errorTexts.notFound, 404);
}

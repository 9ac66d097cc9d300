/** The answers that loaders and actions give besides data. */
import { data, redirect, replace } from "@remix-run/node";
import { ApiUnreachableError, isApiError } from "../api/errors";
import { errorTexts } from "../lib/error-catalogue";
import { getScope, type ScopeArgs } from "./scope.server";

/** Leads on, replacing history, with this request's cookies. `path` is a path of ours (paths.ts, safe-redirect.ts). */
export async function replaceWith(args: ScopeArgs, path: string, headers?: HeadersInit): Promise<Response> {
  return attached(args, replace(path, { headers }));
}

/** Leads on, with this request's cookies. */
export async function redirectTo(args: ScopeArgs, path: string, headers?: HeadersInit): Promise<Response> {
  return attached(args, redirect(path, { headers }));
}

/** Any other response of a resource route, with this request's cookies. */
export async function attached(args: ScopeArgs, response: Response): Promise<Response> {
  response.headers.set("Cache-Control", "private, no-store");
  response.headers.set("X-Content-Type-Options", "nosniff");
  (await getScope(args)).attach(response.headers);
  return response;
}

/** Raises a text of the catalogue: the error screens show it, also in production. */
export function raise(message: string, status: number): never {
  throw data({ message }, { status });
}

/**
 * For loaders: what the exchange refuses is raised with its own words and status (404 is R20's
 * screen), an exchange that does not answer as 503. `getUser` has the texts of E01.
 */
export async function orRaise<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (isApiError(error, 404)) return raiseNotFound();
    if (isApiError(error)) return raise(error.detailMessage ?? errorTexts.unknown, error.status);
    if (error instanceof ApiUnreachableError) return raise(error.message, 503);
    throw error;
  }
}

/** R20: not there, or not yours. */
export function raiseNotFound(): never {
  return raise(errorTexts.notFound, 404);
}

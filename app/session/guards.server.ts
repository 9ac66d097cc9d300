/**
 * Guards return the user or throw a redirect (S01, S02, R06, R08, R13, R14). They cannot loop: /login
 * redirects only users who have a passkey session and are active, /kyc only those who are approved.
 */
import type { User } from "../api/contract";
import { newUserWindowMs } from "../lib/constants";
import * as errorTexts from "../lib/error-catalogue";
import { paths } from "../lib/paths";
import { replaceWith, throwHttpError, toPageStatus } from "./responses.server";
import { getScope, type ScopeArgs } from "./scope.server";
import { toUserErrorText } from "./user-error.server";

type LoginParams = { redirect?: string; message?: boolean };

/** S08: the user, or null without a passkey session. @throws E01 if the call fails */
export async function getPasskeyUser(args: ScopeArgs): Promise<User | null> {
  try {
    return await (await getScope(args)).getPasskeyUser();
  } catch (error) {
    return throwHttpError(toUserErrorText(error), toPageStatus(error));
  }
}

/** S01: without a passkey session, redirects to /login, which leads back to the requested page or `login.redirect`. */
export async function requirePasskey(args: ScopeArgs, login: LoginParams = {}): Promise<User> {
  const user = await getPasskeyUser(args);
  if (user) return user;
  throw await toLogin(args, login);
}

/**
 * R13, R14: the redirect that the specification defines for /kyc and /doger. After signing in, the visitor arrives
 * at /kyc, even if they asked for /doger.
 */
export function requirePasskeyReturningToKyc(args: ScopeArgs): Promise<User> {
  return requirePasskey(args, { redirect: paths.kyc(), message: true });
}

/** S02: if the account is not active, redirects to /login, which explains why. */
export async function requireActiveUser(args: ScopeArgs, login: LoginParams = {}): Promise<User> {
  const user = await requirePasskey(args, login);
  if (user.is_active) return user;
  throw await toLogin(args, login);
}

/** S02, R08: also requires KYC approval, otherwise redirects to /kyc. Both pages return to `page`. */
export async function requireApprovedUser(args: ScopeArgs, page = toRequestedPath(args.request)): Promise<User> {
  const user = await requireActiveUser(args, { redirect: page });
  if (user.kyc_status === "approved") return user;
  throw await replaceWith(args, paths.kyc({ redirect: page }));
}

/**
 * S03: the first visit to /swap. Without the hasVisited cookie, accounts younger than 60 s are
 * redirected to the welcome pages, and for older ones the cookie is set.
 */
export async function requireVisited(args: ScopeArgs): Promise<User> {
  const scope = await getScope(args);
  const user = await getPasskeyUser(args);
  if (!scope.isPasskeyAuthenticated) throw await toLogin(args);
  if (!scope.hasVisited) {
    if (!user) return throwHttpError(errorTexts.userNotFound, 403);
    if (Date.now() - Date.parse(user.created_at) < newUserWindowMs) throw await replaceWith(args, paths.welcome);
    scope.markVisited();
  }
  if (user) return user;
  throw await toLogin(args);
}

/**
 * Loads a page's data while its guard still waits for the user, so that they cost one round trip instead of two. If the
 * guard throws, its error is thrown, whether or not the data could be loaded. Without a passkey session, which the
 * guards require, nothing is loaded early.
 */
export async function withGuard<D>(
  args: ScopeArgs,
  guard: (args: ScopeArgs) => Promise<User>,
  load: () => Promise<D>,
): Promise<[User, D]> {
  const scope = await getScope(args);
  if (!scope.isPasskeyAuthenticated) return [await guard(args), await load()];
  const loading = load();
  loading.catch(() => undefined);
  return [await guard(args), await loading];
}

/** The requested path and search. Remix has removed what its requests for data add (`.data` and `_routes`). */
export function toRequestedPath(request: Request): string {
  const { pathname, search } = new URL(request.url);
  return pathname + search;
}

/**
 * For pages that don't lead on to another page. Their forms copy the search params, so an unused `redirect` must not
 * stay in them.
 */
export async function dropRedirect(args: ScopeArgs): Promise<void> {
  const { pathname, searchParams } = new URL(args.request.url);
  if (!searchParams.has("redirect")) return;
  searchParams.delete("redirect");
  throw await replaceWith(args, searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname);
}

/** After a posted form, sign-in returns to the page. Of the form, only what `redirect` contains is kept. */
export async function toLogin(args: ScopeArgs, { redirect, message }: LoginParams = {}): Promise<Response> {
  return replaceWith(args, paths.login({ redirect: redirect ?? toRequestedPath(args.request), message }));
}

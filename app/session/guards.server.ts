/**
 * Guards throw: what follows them is typed. Each leads somewhere that leads nowhere back
 * (S01, S02, R06, R08, R13, R14): /login sends on only who is passkey-authenticated and
 * active, /kyc only who is approved.
 */
import type { User } from "../api/contract";
import { isApiError } from "../api/errors";
import { newUserWindowMs } from "../lib/constants";
import { errorTexts } from "../lib/error-catalogue";
import { paths } from "../lib/paths";
import { raise, replaceWith } from "./responses.server";
import { getScope, type ScopeArgs } from "./scope.server";
import { toUserErrorText } from "./user-error";

type LoginParams = { redirect?: string; message?: boolean };

/** S08: the user, or null while not passkey-authenticated. Raises E01's text where the call fails. */
export async function getUser(args: ScopeArgs): Promise<User | null> {
  try {
    return await (await getScope(args)).getUser();
  } catch (error) {
    return raise(toUserErrorText(error), isApiError(error) ? error.status : 503);
  }
}

/** S01: else to /login, history replaced, with the page wanted unless `login` says another. */
export async function requirePasskey(args: ScopeArgs, login: LoginParams = {}): Promise<User> {
  const user = await getUser(args);
  if (user) return user;
  throw await toLogin(args, login);
}

/** R13, R14: as the specification has it for /kyc and /doger. */
export function requirePasskeyForKyc(args: ScopeArgs): Promise<User> {
  return requirePasskey(args, { redirect: paths.kyc(), message: true });
}

/** S02: passkey-authenticated and active, else to /login, which says why. */
export async function requireActiveUser(args: ScopeArgs): Promise<User> {
  const user = await requirePasskey(args);
  if (user.is_active) return user;
  throw await toLogin(args);
}

/** S02, R08: active and KYC approved, else to /kyc with the way back to the page wanted. */
export async function requireApprovedUser(args: ScopeArgs): Promise<User> {
  const user = await requireActiveUser(args);
  if (user.kyc_status === "approved") return user;
  throw await replaceWith(args, paths.kyc({ redirect: toWantedPath(args.request) }));
}

/**
 * S03, the rule of the first visit on /swap: while hasVisited is absent a user is needed,
 * who is led to the welcome pages when younger than 60 s and marked as having visited otherwise.
 */
export async function requireVisited(args: ScopeArgs): Promise<User> {
  const scope = await getScope(args);
  const user = await getUser(args);
  if (!scope.isPasskeyAuthenticated) throw await toLogin(args);
  if (!scope.hasVisited) {
    if (!user) return raise(errorTexts.userNotFound, 403);
    if (Date.now() - Date.parse(user.created_at) < newUserWindowMs) throw await replaceWith(args, paths.welcome);
    scope.markVisited();
  }
  if (user) return user;
  throw await toLogin(args);
}

/** R03: entering the welcome pages counts as the first visit. */
export async function markVisited(args: ScopeArgs): Promise<void> {
  (await getScope(args)).markVisited();
}

/** The page wanted: path and search, without what Remix adds for itself. */
export function toWantedPath(request: Request): string {
  const url = new URL(request.url);
  url.searchParams.delete("_routes");
  const search = url.searchParams.toString();
  const path = url.pathname.replace(/\.data$/, "");
  return search === "" ? path : `${path}?${search}`;
}

/** A posted form comes back to the page, by GET: what was typed is not in its address. */
async function toLogin(args: ScopeArgs, { redirect, message }: LoginParams = {}): Promise<Response> {
  return replaceWith(args, paths.login({ redirect: redirect ?? toWantedPath(args.request), message }));
}

import type { Tokens } from "../api/contract";
import { ApiError, isApiError } from "../api/errors";
import { SignInResponseError } from "../api/sign-in-calls";
import type { Send } from "../exchange-binding/exchange-client.server";
import type { SiteSession } from "./cookies.server";

/**
 * S05, S06: wraps requests so that a 401 refreshes the access token, once for all parallel calls, and
 * repeats each call with the new token. If the refresh is refused, or there is no refresh token, the
 * visitor is signed out. If the exchange is unreachable or overloaded, the error is thrown to the caller
 * and the visitor stays signed in.
 */
export function createRefreshingFetch(session: {
  getSession(): SiteSession | null;
  refresh(refreshToken: string): Promise<Tokens>;
  store(tokens: Tokens, passkey: boolean): Promise<void>;
  clear(): Promise<void>;
}): (send: Send) => Send {
  let refreshing: Promise<void> | null = null;

  async function refresh(): Promise<void> {
    const current = session.getSession();
    if (!current) return;
    if (current.refresh === null) return session.clear();
    try {
      await session.store(await session.refresh(current.refresh), current.passkey);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await session.clear();
    }
  }

  return (send) => async (request) => {
    const usedToken = request.headers.get("X-Auth-Token");
    // A wrong code or passkey also gets a 401, which does not mean that the token is invalid.
    if (usedToken === null || isSignInCall(request)) return send(request);
    const retry = request.clone();
    const response = await send(request);
    if (response.status !== 401 || (await isWrongCode(response))) return response;
    if (session.getSession()?.access === usedToken) {
      refreshing ??= refresh().finally(() => {
        refreshing = null;
      });
      await refreshing;
    }
    const renewed = session.getSession();
    if (!renewed || renewed.access === usedToken) return response;
    retry.headers.set("X-Auth-Token", renewed.access);
    return send(retry);
  };
}

function isSignInCall(request: Request): boolean {
  const { pathname } = new URL(request.url);
  return pathname.startsWith("/api/auth") && pathname !== "/api/auth/logout";
}

/** The code with which a customer deletes their account was wrong. Sending it again would use up another attempt. */
async function isWrongCode(response: Response): Promise<boolean> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return new ApiError(response.status, body, null).code === "code_wrong";
}

/** Whether the exchange does not accept the token, and was not just overloaded or unreachable. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof SignInResponseError) return true;
  return isApiError(error) && error.status !== 429 && error.status < 500;
}

import { SignInAnswerError } from "../api/client";
import type { Tokens } from "../api/contract";
import { isApiError } from "../api/errors";
import type { SiteSession } from "./cookies.server";

type Send = (request: Request) => Promise<Response>;

/**
 * S05, S06: a 401 while a token is held → one refresh, however many calls were refused →
 * each call once more with the new token. Where the refresh is refused, or there is no
 * refresh token, the browser is signed out. An exchange that cannot be reached, or asks to
 * come back later, has refused nothing: that failure goes to the caller and nobody is signed out.
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
    const used = request.headers.get("X-Auth-Token");
    // A wrong code or passkey is answered 401 too and says nothing about the token.
    if (used === null || isSignInCall(request)) return send(request);
    const again = request.clone();
    const response = await send(request);
    if (response.status !== 401) return response;
    if (session.getSession()?.access === used) {
      refreshing ??= refresh().finally(() => {
        refreshing = null;
      });
      await refreshing;
    }
    const renewed = session.getSession();
    if (!renewed || renewed.access === used) return response;
    again.headers.set("X-Auth-Token", renewed.access);
    return send(again);
  };
}

function isSignInCall(request: Request): boolean {
  const { pathname } = new URL(request.url);
  return pathname.startsWith("/api/auth") && pathname !== "/api/auth/logout";
}

function isRefusal(error: unknown): boolean {
  if (error instanceof SignInAnswerError) return true;
  return isApiError(error) && ![429, 502, 503, 504].includes(error.status);
}

/**
 * The session of one request. Remix passes the same `context` object to every loader of a request, so a
 * WeakMap keyed by it lets them share one token refresh, one fetch of the user and one set of cookies
 * (S05, S06, S08).
 */
import type { AppLoadContext } from "@remix-run/node";
import type { ApiClient } from "../api/client";
import type { Tokens, User } from "../api/contract";
import { isApiError, parseRetryAfter } from "../api/errors";
import { getConfig } from "../config/config.server";
import { toClientInfo } from "../exchange-binding/exchange";
import { abortableRequest, createExchangeClient, type Send } from "../exchange-binding/exchange-client.server";
import {
  type ChallengeKind,
  challengeKinds,
  getSiteCookies,
  hasVisitedCookie,
  type Notice,
  type PendingChallenge,
  pendingChallengeSchema,
  readNotices,
  type SiteSession,
  siteSessionSchema,
  toNoticeCookie,
  toVisitedCookie,
} from "./cookies.server";
import { createRefreshingFetch, isRefusal } from "./refresh.server";
import { ResponseCookies } from "./response-cookies.server";

declare module "@remix-run/node" {
  interface AppLoadContext {
    /** Set by server/site.server.ts. Undefined in development and under remix-serve. */
    remoteAddress?: string;
    requestId?: string;
    /** The request is for a loader's data, not for a document or resource. */
    isDataRequest?: boolean;
    /** A loader could not get all data of a public page (`markIncomplete`). */
    isIncomplete?: boolean;
    /** Set with a 405 response, whose headers Remix does not copy to data. */
    allowedMethods?: string[];
  }
}

/** The arguments of a loader or an action that the scope needs. */
export type ScopeArgs = { request: Request; context: AppLoadContext };

/** The session whose token a client sends, and which a refresh replaces. */
type SessionHolder = { get(): SiteSession | null; set(session: SiteSession | null): Promise<void> };

const maxUserAgentLength = 400;

/** Options that make the browser delete a cookie. */
const deletion = { maxAge: 0, expires: new Date(0) };

const scopes = new WeakMap<AppLoadContext, Promise<RequestScope>>();

/** The scope of the request, created at the first call. */
export function getScope(args: ScopeArgs): Promise<RequestScope> {
  let scope = scopes.get(args.context);
  if (!scope) {
    scope = RequestScope.open(args);
    scopes.set(args.context, scope);
  }
  return scope;
}

/** The scope, if a loader of this request has created it. */
export function findScope(context: AppLoadContext): Promise<RequestScope> | null {
  return scopes.get(context) ?? null;
}

export class RequestScope {
  /** An API client that sends this request's token, and refreshes it if needed. */
  readonly api: ApiClient;
  /**
   * Creates a client that does not refresh the token, for calls after the response's headers have been sent: a new token
   * could no longer reach the browser, and the exchange would treat the browser's old one as stolen.
   */
  readonly createStreamingApi: () => ApiClient;
  readonly #makeClient: (session: SessionHolder, abortWith?: Request) => ApiClient;
  #session: SiteSession | null;
  readonly #challenges: Map<ChallengeKind, PendingChallenge>;
  #hasVisited: boolean;
  readonly #notices: Set<Notice>;
  /** The exchange's last refusal that says in how many seconds to try again. */
  #refusal: { status: number; retryAfter: number } | null = null;
  readonly #cookies = new ResponseCookies();
  #user: Promise<User | null> | undefined;
  readonly #cookieHeader: string | null;
  /** Whether a script of a page has sent the request, so that the page may send others in the meantime. */
  readonly #isFromScript: boolean;

  private constructor(args: ScopeArgs, session: SiteSession | null, challenges: Map<ChallengeKind, PendingChallenge>) {
    this.#session = session;
    this.#challenges = challenges;
    this.#cookieHeader = args.request.headers.get("cookie");
    this.#hasVisited = hasVisitedCookie(this.#cookieHeader);
    this.#notices = readNotices(this.#cookieHeader);
    const { headers } = args.request;
    const target = headers.get("sec-fetch-dest");
    // Safari before 16.4, and every browser on plain HTTP, says only which types it accepts.
    const accepted = headers.get("accept") ?? "text/html";
    const isDocument = target === null ? accepted.includes("text/html") : target === "document";
    this.#isFromScript = args.context.isDataRequest === true || !isDocument;
    const visitor = {
      client: toClientInfo(args.context),
      userAgent: args.request.headers.get("user-agent")?.slice(0, maxUserAgentLength),
    };
    // If the visitor has left, they would not receive the renewed session, and the exchange would treat their old one
    // as stolen.
    const ownRequest = abortableRequest(args.request);
    this.#makeClient = (holder, abortWith) => {
      const accessToken = () => holder.get()?.access ?? null;
      const withoutRefreshing = () =>
        createExchangeClient({ ...visitor, abortWith, accessToken, intercept: this.#noteRefusal });
      const refreshing = createRefreshingFetch({
        getSession: holder.get,
        refresh: (token) => withoutRefreshing().refresh(token),
        store: async (tokens, passkey) => {
          const old = holder.get();
          // A session that ended while its refresh ran stays ended.
          if (old) await holder.set({ ...toSession(tokens, old), passkey });
        },
        clear: () => holder.set(null),
      });
      const intercept = (send: Send) => refreshing(this.#noteRefusal(send));
      return createExchangeClient({ ...visitor, abortWith, accessToken, intercept });
    };
    const accessToken = () => this.#session?.access ?? null;
    this.createStreamingApi = () =>
      createExchangeClient({ ...visitor, abortWith: ownRequest, accessToken, intercept: this.#noteRefusal });
    const own: SessionHolder = {
      get: () => this.#session,
      set: (renewed) => (renewed ? this.#store(renewed) : this.#expire()),
    };
    this.api = this.#makeClient(own, ownRequest);
  }

  static async open(args: ScopeArgs): Promise<RequestScope> {
    const header = args.request.headers.get("cookie");
    const cookies = getSiteCookies();
    const [session, challenges] = await Promise.all([cookies.session.parse(header), readChallenges(header)]);
    return new RequestScope(args, siteSessionSchema.safeParse(session).data ?? null, challenges);
  }

  /** Whether the browser sent any cookie, which means that it stores ours. */
  get hasCookies(): boolean {
    return Boolean(this.#cookieHeader);
  }

  /** S04: there is an access token. */
  get isSignedIn(): boolean {
    return this.#session !== null;
  }

  /** S04: the session was signed in with a passkey. */
  get isPasskeyAuthenticated(): boolean {
    return this.#session?.passkey === true;
  }

  get hasVisited(): boolean {
    return this.#hasVisited;
  }

  /** E01: signed out because the exchange no longer accepted the token, in this request or shortly before. */
  get hasExpired(): boolean {
    return this.#notices.has("expired") && this.#session === null;
  }

  /** T12: signed out in this browser a moment ago, but the exchange did not end the session. */
  get isLeftOpen(): boolean {
    return this.#notices.has("leftOpen") && this.#session === null;
  }

  /**
   * The response is for one visitor or sets a cookie, so it must not be cached (T10). A challenge
   * counts, because /login shows its e-mail address. The one for autofill contains no address.
   */
  get isPrivate(): boolean {
    const hasChallenge = [...this.#challenges.keys()].some((kind) => kind !== "autofill");
    return this.#session !== null || this.#notices.size > 0 || hasChallenge || !this.#cookies.isEmpty;
  }

  /** S08: the user, or null without a passkey session. */
  async getPasskeyUser(): Promise<User | null> {
    if (!this.isPasskeyAuthenticated) return null;
    const user = await this.getUser();
    if (user && !user.passkey_authenticated && this.#session) {
      await this.#store({ ...this.#session, passkey: false });
      return null;
    }
    return user;
  }

  /** S08: the user of the access token, fetched once per request. A 401 signs out; a 403 gives null. */
  getUser(): Promise<User | null> {
    this.#user ??= this.#fetchUser();
    return this.#user;
  }

  /** The next `getUser` fetches the user again. */
  invalidateUser(): void {
    this.#user = undefined;
  }

  /** T4: starts a new session with the tokens of a sign-in, and ends the old one here and at the exchange. */
  async signIn(tokens: Tokens, passkey: boolean): Promise<void> {
    const before = this.#session;
    this.invalidateUser();
    for (const kind of challengeKinds) await this.setChallenge(kind, null);
    for (const notice of this.#notices) this.#cookies.set(toNoticeCookie(notice, getConfig().secure, 0));
    this.#notices.clear();
    await this.#store({ access: tokens.access_token, refresh: tokens.refresh_token ?? null, passkey });
    if (tokens.device_token !== undefined) {
      this.#cookies.set(await getSiteCookies().device.serialize(tokens.device_token));
    }
    if (before) await this.#endAtExchange(before);
  }

  /** T25: the token of the last sign-in in this browser, if there was a recent one. */
  async getDeviceToken(): Promise<string | undefined> {
    const token: unknown = await getSiteCookies().device.parse(this.#cookieHeader);
    return typeof token === "string" ? token : undefined;
  }

  /**
   * S06: ends the session at the exchange and clears it in this browser, even if the exchange doesn't end it. /login then
   * says so (T12).
   */
  async signOut(): Promise<void> {
    const hasEnded = this.#session === null || (await this.#endAtExchange(this.#session));
    await this.clearSession();
    if (!hasEnded) this.#notify("leftOpen");
  }

  /** Clears the session in this browser. For one that the exchange has ended. */
  async clearSession(): Promise<void> {
    this.#endSession();
    this.#cookies.set(await getSiteCookies().session.serialize("", deletion));
  }

  getChallenge(kind: ChallengeKind): PendingChallenge | null {
    return this.#challenges.get(kind) ?? null;
  }

  /** Stores a challenge in the browser's cookie for its kind. Null removes it. */
  async setChallenge(kind: ChallengeKind, challenge: PendingChallenge | null): Promise<void> {
    const cookie = getSiteCookies().challenges[kind];
    if (challenge) {
      this.#challenges.set(kind, challenge);
      this.#cookies.set(await cookie.serialize(challenge));
    } else if (this.#challenges.delete(kind)) {
      this.#cookies.set(await cookie.serialize("", deletion));
    }
  }

  /** S03, R03: sets the hasVisited cookie, so that the welcome pages are not shown again. */
  markVisited(): void {
    if (this.#hasVisited) return;
    this.#hasVisited = true;
    this.#cookies.set(toVisitedCookie(getConfig().secure));
  }

  /** Writes this request's cookies to the headers, now and whenever they change later. */
  writeCookies(headers: Headers): void {
    this.#cookies.writeTo(headers);
  }

  /** Passes on when to try again, if the response has the status of the exchange's refusal. */
  writeRetryAfter({ status, headers }: Response): void {
    if (this.#refusal?.status === status) headers.set("Retry-After", String(this.#refusal.retryAfter));
  }

  readonly #noteRefusal =
    (send: Send): Send =>
    async (request) => {
      const response = await send(request);
      const retryAfter = parseRetryAfter(response.headers.get("retry-after"));
      if (retryAfter !== null && !response.ok)
        this.#refusal = { status: response.status, retryAfter: Math.ceil(retryAfter) };
      return response;
    };

  #endSession(): void {
    this.#session = null;
    this.#user = Promise.resolve(null);
  }

  async #fetchUser(): Promise<User | null> {
    if (!this.#session) return null;
    try {
      return await this.api.getCurrentUser();
    } catch (error) {
      if (isApiError(error, 401)) {
        await this.#expire();
        return null;
      }
      if (isApiError(error, 403)) return null;
      throw error;
    }
  }

  /**
   * S06, S08: clears the session, and lets /login say why. The first time, only a document removes the session's
   * cookie: any other response, such as an order's events, may arrive after the visitor has signed in again or
   * confirmed with a passkey, and would remove the new session. The next request, which is the one for /login if the
   * page needs a session, removes it.
   */
  async #expire(): Promise<void> {
    if (!this.#session) return;
    if (this.#isFromScript && !this.#notices.has("expired")) this.#endSession();
    else await this.clearSession();
    this.#notify("expired");
  }

  /** Lets /login say why it is shown. */
  #notify(notice: Notice): void {
    this.#notices.add(notice);
    this.#cookies.set(toNoticeCookie(notice, getConfig().secure));
  }

  /** False if the exchange may still accept the session. True if the exchange has ended it, now or earlier. */
  async #endAtExchange(old: SiteSession): Promise<boolean> {
    let session: SiteSession | null = old;
    const client = this.#makeClient({
      get: () => session,
      set: async (renewed) => {
        session = renewed;
      },
    });
    return client.signOut().then(() => true, isRefusal);
  }

  async #store(session: SiteSession): Promise<void> {
    this.#session = session;
    this.#cookies.set(await getSiteCookies().session.serialize(session));
  }
}

/** The challenges in the request's cookies, except for those that are not ours or have an outdated form. */
async function readChallenges(header: string | null): Promise<Map<ChallengeKind, PendingChallenge>> {
  const cookies = getSiteCookies().challenges;
  const values = await Promise.all(challengeKinds.map((kind) => cookies[kind].parse(header)));
  const challenges = new Map<ChallengeKind, PendingChallenge>();
  for (const [at, kind] of challengeKinds.entries()) {
    const { data } = pendingChallengeSchema.safeParse(values[at]);
    if (data) challenges.set(kind, data);
  }
  return challenges;
}

/** S05: the new access token, and the new refresh token if there is one. */
function toSession(tokens: Tokens, old: SiteSession): Omit<SiteSession, "passkey"> {
  return { access: tokens.access_token, refresh: tokens.refresh_token ?? old.refresh };
}

/**
 * The scope of one request. Remix gives every loader of a request the same `context`
 * object; a WeakMap on it is where one token refresh, one fetch of the user and one
 * Set-Cookie are shared, whatever response leaves in the end (S05, S06, S08).
 */
import type { AppLoadContext } from "@remix-run/node";
import type { ApiClient } from "../api/client";
import type { Tokens, User } from "../api/contract";
import { isApiError } from "../api/errors";
import { createExchangeClient } from "../api/exchange.server";
import { getConfig } from "../config.server";
import {
  type ChallengeKind,
  type Challenges,
  challengesSchema,
  getSiteCookies,
  hasVisitedCookie,
  type PendingChallenge,
  type SiteSession,
  siteSessionSchema,
  toVisitedCookie,
} from "./cookies.server";
import { createRefreshingFetch } from "./refresh.server";

declare module "@remix-run/node" {
  interface AppLoadContext {
    /** Set by server.ts; unknown in development and under remix-serve. */
    remoteAddress?: string;
    requestId?: string;
  }
}

/** What a loader, an action and a guard are given by Remix, as far as the scope needs it. */
export type ScopeArgs = { request: Request; context: AppLoadContext };

/** Where a client finds the session whose token it carries, and puts the one that a refresh gave. */
type SessionHolder = { get(): SiteSession | null; set(session: SiteSession | null): Promise<void> };

const longestUserAgent = 400;

const scopes = new WeakMap<object, Promise<RequestScope>>();

export function getScope(args: ScopeArgs): Promise<RequestScope> {
  // A loader called by a unit test without a context has its request to itself.
  const key: object = args.context ?? args.request;
  let scope = scopes.get(key);
  if (!scope) {
    scope = RequestScope.open(args);
    scopes.set(key, scope);
  }
  return scope;
}

/** The scope, where some loader of this request has opened it. */
export function findScope(context: AppLoadContext): Promise<RequestScope> | null {
  return scopes.get(context) ?? null;
}

export class RequestScope {
  /** A client that carries this request's token and refreshes it once. */
  readonly api: ApiClient;
  readonly #makeClient: (session: SessionHolder) => ApiClient;
  #session: SiteSession | null;
  #challenges: Challenges;
  #hasVisited: boolean;
  readonly #setCookies = new Map<string, string>();
  /** Headers of responses that were made already; a cookie that is set later reaches them too. */
  readonly #responses: Headers[] = [];
  #account: Promise<User | null> | undefined;

  private constructor(args: ScopeArgs, session: SiteSession | null, challenges: Challenges) {
    this.#session = session;
    this.#challenges = challenges;
    this.#hasVisited = hasVisitedCookie(args.request.headers.get("cookie"));
    const visitor = {
      remoteAddress: args.context?.remoteAddress,
      userAgent: args.request.headers.get("user-agent")?.slice(0, longestUserAgent),
    };
    this.#makeClient = (holder) => {
      const accessToken = () => holder.get()?.access ?? null;
      const plain = createExchangeClient({ ...visitor, accessToken });
      const intercept = createRefreshingFetch({
        getSession: holder.get,
        refresh: (token) => plain.refresh(token),
        store: (tokens, passkey) => holder.set({ ...toSession(tokens, holder.get()), passkey }),
        clear: () => holder.set(null),
      });
      return createExchangeClient({ ...visitor, accessToken, intercept });
    };
    this.api = this.#makeClient({
      get: () => this.#session,
      set: (renewed) => (renewed ? this.#store(renewed) : this.signOut()),
    });
  }

  static async open(args: ScopeArgs): Promise<RequestScope> {
    const header = args.request.headers.get("cookie");
    const cookies = getSiteCookies();
    const [session, challenges] = await Promise.all([cookies.session.parse(header), cookies.challenges.parse(header)]);
    return new RequestScope(
      args,
      siteSessionSchema.safeParse(session).data ?? null,
      challengesSchema.safeParse(challenges).data ?? {},
    );
  }

  /** S04: a token is held. */
  get isSignedIn(): boolean {
    return this.#session !== null;
  }

  /** S04: signed in with a passkey. */
  get isPasskeyAuthenticated(): boolean {
    return this.#session?.passkey === true;
  }

  get hasVisited(): boolean {
    return this.#hasVisited;
  }

  /** Something of this response is for one person, or sets a cookie: it may be kept nowhere (T10). */
  get isPrivate(): boolean {
    return this.#session !== null || this.#setCookies.size > 0;
  }

  /** S08: the user while passkey-authenticated, else null. Other failures are thrown. */
  async getUser(): Promise<User | null> {
    if (!this.isPasskeyAuthenticated) return null;
    const user = await this.getAccount();
    if (user && !user.passkey_authenticated && this.#session) {
      await this.#store({ ...this.#session, passkey: false });
      return null;
    }
    return user;
  }

  /** The account of whatever token is held: 401 signs out, 403 answers null (S08). Asked once a request. */
  getAccount(): Promise<User | null> {
    this.#account ??= this.#fetchAccount();
    return this.#account;
  }

  /** What is known of the account may have changed; the next question is asked anew. */
  forgetAccount(): void {
    this.#account = undefined;
  }

  /** A new session from the tokens of a sign-in; nothing of the old one stays, at the exchange neither (T4). */
  async signIn(tokens: Tokens, passkey: boolean): Promise<void> {
    const before = this.#session;
    this.forgetAccount();
    await this.#storeChallenges({});
    await this.#store({ access: tokens.access_token, refresh: tokens.refresh_token ?? null, passkey });
    if (before) await this.#endAtExchange(before);
  }

  /** S06: no token, no passkey flag. Tells the exchange nothing; see the sign-out route. */
  async signOut(): Promise<void> {
    this.#session = null;
    this.#account = Promise.resolve(null);
    this.#setCookie("session", await getSiteCookies().session.serialize("", { maxAge: 0, expires: new Date(0) }));
  }

  getChallenge(kind: ChallengeKind): PendingChallenge | null {
    return this.#challenges[kind] ?? null;
  }

  /** Remembers a challenge in this browser; null forgets it. */
  async setChallenge(kind: ChallengeKind, challenge: PendingChallenge | null): Promise<void> {
    const { [kind]: _, ...others } = this.#challenges;
    await this.#storeChallenges(challenge === null ? others : { ...others, [kind]: challenge });
  }

  /** S03, R03: the welcome pages need not be shown again. */
  markVisited(): void {
    if (this.#hasVisited) return;
    this.#hasVisited = true;
    this.#setCookie("hasVisited", toVisitedCookie(getConfig().secure));
  }

  /** Puts this request's cookies on a response's headers, now and when they change later. */
  attach(headers: Headers): void {
    this.#responses.push(headers);
    this.#write(headers);
  }

  async #fetchAccount(): Promise<User | null> {
    if (!this.#session) return null;
    try {
      return await this.api.getCurrentUser();
    } catch (error) {
      if (isApiError(error, 401)) {
        await this.signOut();
        return null;
      }
      if (isApiError(error, 403)) return null;
      throw error;
    }
  }

  /** One that is over already, or an exchange that does not answer, holds nobody up: the browser has forgotten it. */
  async #endAtExchange(ended: SiteSession): Promise<void> {
    let session: SiteSession | null = ended;
    const client = this.#makeClient({
      get: () => session,
      set: async (renewed) => {
        session = renewed;
      },
    });
    await client.logout().catch(() => undefined);
  }

  async #store(session: SiteSession): Promise<void> {
    this.#session = session;
    this.#setCookie("session", await getSiteCookies().session.serialize(session));
  }

  async #storeChallenges(challenges: Challenges): Promise<void> {
    const wasEmpty = Object.keys(this.#challenges).length === 0;
    const isEmpty = Object.keys(challenges).length === 0;
    this.#challenges = challenges;
    if (wasEmpty && isEmpty) return;
    const ended = { maxAge: 0, expires: new Date(0) };
    this.#setCookie("challenges", await getSiteCookies().challenges.serialize(challenges, isEmpty ? ended : {}));
  }

  #setCookie(name: string, line: string): void {
    this.#setCookies.set(name, line);
    for (const headers of this.#responses) this.#write(headers);
  }

  #write(headers: Headers): void {
    if (this.#setCookies.size === 0) return;
    const ours = new Set([...this.#setCookies.values()].map(toCookieName));
    const others = headers.getSetCookie().filter((line) => !ours.has(toCookieName(line)));
    headers.delete("Set-Cookie");
    for (const line of [...others, ...this.#setCookies.values()]) headers.append("Set-Cookie", line);
    headers.set("Cache-Control", "private, no-store");
  }
}

/** S05: the new access token and, if given, the new refresh token. */
function toSession(tokens: Tokens, old: SiteSession | null): Omit<SiteSession, "passkey"> {
  return { access: tokens.access_token, refresh: tokens.refresh_token ?? old?.refresh ?? null };
}

function toCookieName(line: string): string {
  return line.slice(0, line.indexOf("="));
}

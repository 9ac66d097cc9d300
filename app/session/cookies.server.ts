import { createHmac } from "node:crypto";
import { type Cookie, type CookieOptions, createCookie } from "@remix-run/node";
import { z } from "zod";
import { type Config, getConfig } from "../config/config.server";
import { currencyCookie } from "../lib/currencies";
import { minuteMs, yearSeconds } from "../lib/durations";
import { timeZoneCookie } from "../lib/locale";
import { readCookie } from "../lib/read-cookie";
import { themeCookie } from "../lib/theme";

/** S04: the session in the browser's cookie. Null when signed out. */
export const siteSessionSchema = z.object({
  access: z.string().min(1),
  refresh: z.string().min(1).nullable(),
  /** Whether this site saw a sign-in with a passkey. The API checks it again. */
  passkey: z.boolean(),
});
export type SiteSession = z.infer<typeof siteSessionSchema>;

/**
 * T3: a challenge is bound to the browser that requested it, because its ID is in a cookie and never in
 * a form. `identifier` is the e-mail address typed in the first step. `resent` counts the codes sent to it again,
 * and `earlier` has the challenges of the codes before the last one.
 */
export const pendingChallengeSchema = z.object({
  challengeId: z.string(),
  identifier: z.string(),
  resent: z.number().optional(),
  earlier: z.array(z.string()).optional(),
});
export type PendingChallenge = z.infer<typeof pendingChallengeSchema>;
/** `autofill`: for passkey autofill, which a page requests while the visitor types. `proof`: for the account's own address. */
export const challengeKinds = ["email", "passkey", "autofill", "registration", "proof"] as const;
export type ChallengeKind = (typeof challengeKinds)[number];

export type SiteCookies = {
  session: Cookie;
  /** One cookie for each kind, because responses may overlap: in a shared cookie, a late response would undo what
   * an earlier one stored. */
  challenges: Readonly<Record<ChallengeKind, Cookie>>;
  /** The token of the last sign-in to a verified address here. It outlives the session. */
  device: Cookie;
};

const minChallengeMaxAgeMs = 10 * minuteMs;
const deviceMaxAgeSeconds = 90 * 24 * 60 * 60;

/** T5: signed, HttpOnly, SameSite=Lax; with `__Host-` and Secure if the origin is https. */
export function createSiteCookies(config: Config): SiteCookies {
  const prefix = config.secure ? "__Host-" : "";
  const secret = createHmac("sha256", config.exchange.secret).update("antelope.site-cookies").digest("base64url");
  const options = {
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure: config.secure,
    secrets: [secret],
  } satisfies CookieOptions;
  // As long as the exchange accepts the challenge, so that a code works as long as the e-mail says.
  const { codeTtlMs, challengeTtlMs } = config.exchange;
  const maxAge = Math.ceil(Math.max(codeTtlMs, challengeTtlMs, minChallengeMaxAgeMs) / 1000);
  const toChallengeCookie = (kind: ChallengeKind) => createCookie(`${prefix}challenge-${kind}`, { ...options, maxAge });
  return {
    session: createCookie(`${prefix}session`, {
      ...options,
      maxAge: Math.floor(config.exchange.sessionAbsoluteMs / 1000),
    }),
    challenges: {
      email: toChallengeCookie("email"),
      passkey: toChallengeCookie("passkey"),
      autofill: toChallengeCookie("autofill"),
      registration: toChallengeCookie("registration"),
      proof: toChallengeCookie("proof"),
    },
    device: createCookie(`${prefix}device`, { ...options, maxAge: deviceMaxAgeSeconds }),
  };
}

let cookies: SiteCookies | undefined;
export function getSiteCookies(): SiteCookies {
  cookies ??= createSiteCookies(getConfig());
  return cookies;
}

export const visitedCookie = "hasVisited";

/**
 * What /login has to say about a session that ended a moment ago: the exchange no longer accepted its token (E01), or
 * the visitor signed out, but the exchange did not end the session (T12). Each is in a cookie with its name.
 */
const notices = ["expired", "leftOpen"] as const;
export type Notice = (typeof notices)[number];

/** The names of all cookies that the server reads. */
export function listCookieNames(config: Config): ReadonlySet<string> {
  const { session, challenges, device } = createSiteCookies(config);
  const signed = [session, device, ...Object.values(challenges)].map(({ name }) => name);
  return new Set([...signed, visitedCookie, ...notices, themeCookie, timeZoneCookie, currencyCookie]);
}

/** S03: `hasVisited=true` for a year, unsigned and readable by scripts. */
export function toVisitedCookie(secure: boolean): string {
  return `${visitedCookie}=true; Max-Age=${yearSeconds}; Path=/; SameSite=Lax${secure ? "; Secure" : ""}`;
}

/** E01, T12: `expired=true` or `leftOpen=true`, for a minute. */
export function toNoticeCookie(notice: Notice, secure: boolean, maxAgeSeconds = 60): string {
  return `${notice}=true; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
}

export function readNotices(header: string | null): Set<Notice> {
  return new Set(notices.filter((notice) => readCookie(header, notice) === "true"));
}

export function hasVisitedCookie(header: string | null): boolean {
  return readCookie(header, visitedCookie) === "true";
}

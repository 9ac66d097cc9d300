import { createHmac } from "node:crypto";
import { type Cookie, type CookieOptions, createCookie } from "@remix-run/node";
import { z } from "zod";
import { type Config, getConfig } from "../config.server";

/** S04: what a browser's session is. Logged out is null. */
export const siteSessionSchema = z.object({
  access: z.string().min(1),
  refresh: z.string().min(1).nullable(),
  /** Signed in with a passkey; the API knows it too, and has the last word. */
  passkey: z.boolean(),
});
export type SiteSession = z.infer<typeof siteSessionSchema>;

/**
 * T3: challenges are bound to the browser that asked for them. A form never carries a
 * challenge's id; the cookie does. `identifier` is what was typed, kept for the next step.
 */
const pendingSchema = z.object({ challengeId: z.string(), identifier: z.string() });
export const challengesSchema = z.object({
  email: pendingSchema.optional(),
  passkey: pendingSchema.optional(),
  autofill: pendingSchema.optional(),
  registration: pendingSchema.optional(),
  proof: pendingSchema.optional(),
});
export type Challenges = z.infer<typeof challengesSchema>;
export type ChallengeKind = keyof Challenges;
export type PendingChallenge = z.infer<typeof pendingSchema>;

export type SiteCookies = { session: Cookie; challenges: Cookie };

const challengeLifeSeconds = 10 * 60;

/** T5: `__Host-` and Secure where the origin is https; HttpOnly, Lax, signed. */
export function createSiteCookies(config: Config): SiteCookies {
  const prefix = config.secure ? "__Host-" : "";
  const secret = createHmac("sha256", config.sessionSecret).update("antelope.site-cookies").digest("base64url");
  const options = {
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure: config.secure,
    secrets: [secret],
  } satisfies CookieOptions;
  return {
    session: createCookie(`${prefix}session`, {
      ...options,
      maxAge: Math.floor(config.exchange.sessionAbsoluteMs / 1000),
    }),
    challenges: createCookie(`${prefix}challenges`, { ...options, maxAge: challengeLifeSeconds }),
  };
}

let cookies: SiteCookies | undefined;
export function getSiteCookies(): SiteCookies {
  cookies ??= createSiteCookies(getConfig());
  return cookies;
}

/** S03: `hasVisited=true`, raw, and readable by the browser's own code. A year. */
export function toVisitedCookie(secure: boolean): string {
  return `hasVisited=true; Max-Age=31536000; Path=/; SameSite=Lax${secure ? "; Secure" : ""}`;
}

export function hasVisitedCookie(header: string | null): boolean {
  return /(?:^|;\s*)hasVisited=true(?:;|$)/.test(header ?? "");
}

import { dayMs } from "../../lib/durations";
import type { ExchangeContext } from "../context";
import { authenticate, deriveKey, equals } from "../secrets";

/** How long a device token is accepted after the sign-in that it was issued for. */
const deviceTokenMs = 90 * dayMs;

/**
 * Returns a token that proves that its holder has signed in to a verified address ("device cookie",
 * OWASP). Requests for codes that carry it do not share their limits with strangers (T23, T25). It grants no access. It
 * is derived and not stored: HMAC-SHA256 over the address and the time of the sign-in.
 */
export function issueDeviceToken(ctx: ExchangeContext, email: string, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000);
  return `ad_${seconds}.${deviceMac(ctx, email, seconds).toString("base64url")}`;
}

/** Whether we issued the token to someone who signed in to this address in the last 90 days. */
export function isDeviceTokenFor(ctx: ExchangeContext, token: string | undefined, email: string, now: Date): boolean {
  const [, digits, mac] = /^ad_([0-9]{1,12})\.([A-Za-z0-9_-]{43})$/.exec(token ?? "") ?? [];
  if (digits === undefined || mac === undefined) return false;
  const seconds = Number(digits);
  if (now.getTime() - seconds * 1000 > deviceTokenMs) return false;
  return equals(Buffer.from(mac, "base64url"), deviceMac(ctx, email, seconds));
}

function deviceMac(ctx: ExchangeContext, email: string, seconds: number): Buffer {
  return authenticate(deriveKey(ctx.config.secret, "device-token"), email, String(seconds));
}

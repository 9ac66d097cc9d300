import { authenticate, deriveKey, equals, sha256 } from "../secrets";

/**
 * Tokens are derived, not random: HMAC-SHA256 over the session and its generation. The previous
 * refresh token can therefore return the same successor again, even though the database stores only
 * the generation (RFC 9700, 4.14.2, with a grace of one generation).
 */
export function deriveAccessToken(secret: string, sessionId: string, generation: number): string {
  const mac = authenticate(deriveKey(secret, "access-token"), sessionId, String(generation));
  return `aa_${mac.toString("base64url")}`;
}

/** The database stores only this hash of an access token. */
export function hashAccessToken(token: string): string {
  return sha256(token);
}

/** Refresh tokens are derived and never stored. */
export function deriveRefreshToken(secret: string, sessionId: string, generation: number): string {
  return `ar_${sessionId}.${generation}.${refreshMac(secret, sessionId, generation).toString("base64url")}`;
}

/** Returns the session and generation of a refresh token, or null if we did not issue it. */
export function readRefreshToken(secret: string, token: string): { sessionId: string; generation: number } | null {
  const [, sessionId, digits, mac] = /^ar_([A-Za-z0-9_-]{22})\.([0-9]{1,9})\.([A-Za-z0-9_-]{43})$/.exec(token) ?? [];
  if (sessionId === undefined || digits === undefined || mac === undefined) return null;
  const generation = Number(digits);
  const isGenuine = equals(Buffer.from(mac, "base64url"), refreshMac(secret, sessionId, generation));
  return isGenuine ? { sessionId, generation } : null;
}

function refreshMac(secret: string, sessionId: string, generation: number): Buffer {
  return authenticate(deriveKey(secret, "refresh-token"), sessionId, String(generation));
}

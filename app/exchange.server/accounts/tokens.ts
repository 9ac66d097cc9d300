import { authenticate, deriveKey, equals, sha256 } from "../secrets";

/**
 * Tokens are derived, not drawn: HMAC-SHA256 over the family and its generation. So the
 * predecessor of a refresh token can be answered with the very same successor although
 * nothing but a number is kept (RFC 9700 4.14.2, with a grace of one generation).
 */
export function accessTokenOf(secret: string, sessionId: string, generation: number): string {
  const mac = authenticate(deriveKey(secret, "access-token"), sessionId, String(generation));
  return `aa_${mac.toString("base64url")}`;
}

/** What the database knows of an access token. */
export function hashAccessToken(token: string): string {
  return sha256(token);
}

/** The refresh token of a generation of a family: computed, never stored. */
export function refreshTokenOf(secret: string, sessionId: string, generation: number): string {
  return `ar_${sessionId}.${generation}.${refreshMac(secret, sessionId, generation).toString("base64url")}`;
}

/** Family and generation of a refresh token that we made, else null. */
export function readRefreshToken(secret: string, token: string): { sessionId: string; generation: number } | null {
  const [, sessionId, number, mac] = /^ar_([A-Za-z0-9_-]{22})\.([0-9]{1,9})\.([A-Za-z0-9_-]{43})$/.exec(token) ?? [];
  if (sessionId === undefined || number === undefined || mac === undefined) return null;
  const generation = Number(number);
  const genuine = equals(Buffer.from(mac, "base64url"), refreshMac(secret, sessionId, generation));
  return genuine ? { sessionId, generation } : null;
}

function refreshMac(secret: string, sessionId: string, generation: number): Buffer {
  return authenticate(deriveKey(secret, "refresh-token"), sessionId, String(generation));
}

/**
 * Checks that the bytes are exactly one ECDSA signature in strict DER (RFC 3279 section 2.2.3):
 * SEQUENCE { r INTEGER, s INTEGER } with exact, minimal lengths. SimpleWebAuthn ignores a wrong
 * outer length, so one signature would have several encodings. Altered bytes are refused here (T29).
 */
export function isStrictEcdsaSignature(bytes: Uint8Array): boolean {
  if (bytes.length < 8 || bytes[0] !== 0x30 || bytes[1] !== bytes.length - 2) return false;
  const afterR = endOfInteger(bytes, 2);
  return afterR !== null && endOfInteger(bytes, afterR) === bytes.length;
}

/** Returns the end of the positive, minimally encoded INTEGER at `start`, or null if there is none. */
function endOfInteger(bytes: Uint8Array, start: number): number | null {
  const length = bytes[start + 1] ?? 0;
  const first = bytes[start + 2] ?? 0xff;
  const second = bytes[start + 3] ?? 0xff;
  if (bytes[start] !== 0x02 || length === 0 || length > 33 || start + 2 + length > bytes.length) return null;
  const negative = first >= 0x80;
  const padded = first === 0 && length > 1 && second < 0x80;
  return negative || padded ? null : start + 2 + length;
}

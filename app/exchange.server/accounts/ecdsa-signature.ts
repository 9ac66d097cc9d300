/**
 * Whether bytes are one ECDSA signature in DER (RFC 3279 section 2.2.3) and nothing else:
 * SEQUENCE { r INTEGER, s INTEGER }, every length exact and as short as it can be. The
 * library reads the two numbers out and passes over a wrong length around them, so that
 * one signature would have several writings; a mutated answer is refused instead (T29).
 */
export function isStrictEcdsaSignature(bytes: Uint8Array): boolean {
  if (bytes.length < 8 || bytes[0] !== 0x30 || bytes[1] !== bytes.length - 2) return false;
  const afterR = endOfInteger(bytes, 2);
  return afterR !== null && endOfInteger(bytes, afterR) === bytes.length;
}

/** Where a positive, minimally written INTEGER that begins at `start` ends, else null. */
function endOfInteger(bytes: Uint8Array, start: number): number | null {
  const length = bytes[start + 1] ?? 0;
  const first = bytes[start + 2] ?? 0xff;
  const second = bytes[start + 3] ?? 0xff;
  if (bytes[start] !== 0x02 || length === 0 || length > 33 || start + 2 + length > bytes.length) return null;
  const negative = first >= 0x80;
  const padded = first === 0 && length > 1 && second < 0x80;
  return negative || padded ? null : start + 2 + length;
}

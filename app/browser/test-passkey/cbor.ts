/** The subset of CBOR (RFC 8949) that an authenticator writes: small integers, bytes, text and maps. */
export type CborValue = number | string | Uint8Array | ReadonlyMap<number | string, CborValue>;

export function encodeCbor(value: CborValue): Uint8Array {
  if (typeof value === "number") return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === "string") {
    const bytes = new TextEncoder().encode(value);
    return joinBytes(head(3, bytes.length), bytes);
  }
  if (value instanceof Uint8Array) return joinBytes(head(2, value.length), value);
  const entries = [...value].flatMap(([key, item]) => [encodeCbor(key), encodeCbor(item)]);
  return joinBytes(head(5, value.size), ...entries);
}

export function joinBytes(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

function head(majorType: number, argument: number): Uint8Array {
  const type = majorType << 5;
  if (argument < 24) return Uint8Array.of(type | argument);
  if (argument < 256) return Uint8Array.of(type | 24, argument);
  if (argument < 65_536) return Uint8Array.of(type | 25, argument >> 8, argument & 255);
  throw new Error("CBOR item too long");
}

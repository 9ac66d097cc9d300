/** The subset of CBOR (RFC 8949) that an authenticator writes: integers, bytes, text and maps. */
export type CborValue = number | string | Uint8Array | Map<number | string, CborValue>;

export function encodeCbor(value: CborValue): Buffer {
  if (typeof value === "number") return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([key, item]) => [encodeCbor(key), encodeCbor(item)]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

function head(majorType: number, argument: number): Buffer {
  const type = majorType << 5;
  if (argument < 24) return Buffer.from([type | argument]);
  if (argument < 256) return Buffer.from([type | 24, argument]);
  if (argument < 65_536) return Buffer.from([type | 25, argument >> 8, argument & 255]);
  throw new Error("CBOR item too long");
}

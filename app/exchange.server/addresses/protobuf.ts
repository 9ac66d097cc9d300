/**
 * The little of protobuf's wire format that a MobileCoin address needs: varints and
 * length-delimited fields (https://protobuf.dev/programming-guides/encoding/). Every
 * read is bounds-checked; what cannot be read throws a `WireError`.
 */
class WireError extends Error {}

export type WireField = { number: number; value: bigint | Uint8Array };

/** Reads all fields of one message in the order in which they stand. */
export function readFields(bytes: Uint8Array): WireField[] {
  const fields: WireField[] = [];
  let at = 0;

  const readVarint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at];
      if (byte === undefined) throw new WireError("a varint is cut off");
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if ((byte & 0x80) === 0) {
        if (value >= 2n ** 64n) break;
        return value;
      }
    }
    throw new WireError("a varint is too long");
  };
  const readBytes = (length: number): Uint8Array => {
    if (length > bytes.length - at) throw new WireError("a field is longer than the message");
    const slice = bytes.subarray(at, at + length);
    at += length;
    return slice;
  };

  while (at < bytes.length) {
    const tag = readVarint();
    const number = Number(tag >> 3n);
    if (number === 0 || number > 536_870_911) throw new WireError("a field has an impossible number");
    switch (tag & 7n) {
      case 0n:
        fields.push({ number, value: readVarint() });
        break;
      case 1n:
        fields.push({ number, value: readBytes(8) });
        break;
      case 2n: {
        const length = readVarint();
        if (length > BigInt(bytes.length)) throw new WireError("a field is longer than the message");
        fields.push({ number, value: readBytes(Number(length)) });
        break;
      }
      case 5n:
        fields.push({ number, value: readBytes(4) });
        break;
      default:
        throw new WireError("a field has an unknown type");
    }
  }
  return fields;
}

/** One length-delimited field; nothing where it is empty, as proto3 leaves default values out. */
export function writeField(number: number, content: Uint8Array): Uint8Array {
  if (content.length === 0) return content;
  return Uint8Array.from([...toVarint((number << 3) | 2), ...toVarint(content.length), ...content]);
}

function toVarint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  bytes.push(rest);
  return bytes;
}

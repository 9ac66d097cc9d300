import { crc32 } from "node:zlib";
import { ristretto255 } from "@noble/curves/ed25519.js";
import { base58 } from "@scure/base";
import { ExchangeError } from "../errors";
import { readFields, type WireField, writeField } from "./protobuf";

/** Fog addresses stay under 255 characters (MobileCoin, util/keyfile/tests/b58-length.rs); nothing longer is looked at. */
const maxTextLength = 600;

type MobAddress = {
  /** The plain base58 text, without URI or spaces. */
  address: string;
  /** hex(view key) + hex(spend key): two writings of one address agree in it. */
  canonical: string;
  /** Whom Fog addresses are reported to, such as Signal's server; empty for an address without Fog. */
  fogReportUrl: string;
};

type MobAddressParts = {
  /** 32 bytes, a compressed Ristretto point. */
  viewPublicKey: Uint8Array;
  spendPublicKey: Uint8Array;
  fogReportUrl?: string;
  fogReportId?: string;
  fogAuthoritySig?: Uint8Array;
};

/**
 * Reads a MobileCoin public address: base58 of a little-endian CRC-32 and a protobuf
 * PrintableWrapper (mobilecoin, api/src/display.rs and api/proto/printable.proto). Takes
 * the plain text or a `mob:///b58/…` URI. Stricter than the reference in two points: a key
 * that is the identity, and a text that would not be written the same way again, are
 * refused, so that one address has one form.
 *
 * Throws `address_invalid` with words for the customer, which never repeat what was given:
 * a gift code pasted by mistake is a secret.
 */
export function parseMobAddress(text: string): MobAddress {
  if (text.length > maxTextLength) throw refuse("This is too long to be a MobileCoin address.");
  const address = stripUri(text.trim());
  if (address === "") throw refuse("Enter a MobileCoin address.");
  if (/^0x[0-9a-fA-F]*$/.test(address)) throw refuse("This is an Ethereum address, not a MobileCoin address.");
  if (!/^[1-9A-HJ-NP-Za-km-z]+$/.test(address)) {
    throw refuse("This contains a character that no MobileCoin address has. Copy the whole address once more.");
  }

  const bytes = base58.decode(address);
  if (bytes.length < 5) throw refuse("This is too short to be a MobileCoin address.");
  const body = bytes.subarray(4);
  const checksum = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  if (checksum !== crc32(body)) {
    throw refuse("The checksum of this address is wrong: a character is missing or mistyped. Copy it once more.");
  }

  const parts = readAddress(readWrapper(body));
  const view = requireKey(parts.viewPublicKey, "view");
  const spend = requireKey(parts.spendPublicKey, "spend");
  if (encodeMobAddress(parts) !== address) {
    throw refuse("This address carries data that we do not know. Ask for a plain MobileCoin address.");
  }
  return { address, canonical: view + spend, fogReportUrl: parts.fogReportUrl ?? "" };
}

/** Writes a public address as wallets print it. Fog fields count only where there is a report URL. */
export function encodeMobAddress(parts: MobAddressParts): string {
  const utf8 = new TextEncoder();
  const fog = parts.fogReportUrl
    ? [
        writeField(3, utf8.encode(parts.fogReportUrl)),
        writeField(4, utf8.encode(parts.fogReportId ?? "")),
        writeField(5, parts.fogAuthoritySig ?? new Uint8Array()),
      ]
    : [];
  const publicAddress = concat([
    writeField(1, writeField(1, parts.viewPublicKey)),
    writeField(2, writeField(1, parts.spendPublicKey)),
    ...fog,
  ]);
  const body = writeField(1, publicAddress);
  const bytes = new Uint8Array(4 + body.length);
  new DataView(bytes.buffer).setUint32(0, crc32(body), true);
  bytes.set(body, 4);
  return base58.encode(bytes);
}

/** `mob:///b58/X`, `mob://host/b58/X` and `mob://host:port/b58/X`, as MobileCoin's own SDKs read them. */
function stripUri(text: string): string {
  if (!/^mob:/i.test(text)) return text;
  const address = /^mob:\/\/[^/]*\/b58\/([^/?#]*)$/i.exec(text)?.[1];
  if (address === undefined) throw refuse("This mob: link holds no MobileCoin address.");
  return address;
}

/** PrintableWrapper is a oneof: what kind of thing this is, its one field tells. */
function readWrapper(body: Uint8Array): Uint8Array {
  const [field, ...more] = read(body);
  if (!field) throw refuse("This is not a MobileCoin address.");
  if (field.number === 2) throw refuse("This is a payment request, not an address. Ask for the plain address.");
  if (field.number === 3 || field.number === 4) {
    throw refuse("This is a gift code, not an address. Keep it secret: whoever sees it can take its coins.");
  }
  if (field.number !== 1 || more.length > 0) throw refuse("This is not a MobileCoin address.");
  return requireBytes(field);
}

function readAddress(bytes: Uint8Array): MobAddressParts {
  const fields = new Map(read(bytes).map((field) => [field.number, field]));
  const bytesOf = (number: number) => {
    const field = fields.get(number);
    return field ? requireBytes(field) : new Uint8Array();
  };
  const keyOf = (number: number) => {
    const key = read(bytesOf(number)).find((field) => field.number === 1);
    return key ? requireBytes(key) : new Uint8Array();
  };
  const utf8 = new TextDecoder();
  return {
    viewPublicKey: keyOf(1),
    spendPublicKey: keyOf(2),
    fogReportUrl: utf8.decode(bytesOf(3)),
    fogReportId: utf8.decode(bytesOf(4)),
    fogAuthoritySig: bytesOf(5),
  };
}

/** The key in hex, once it is known to be a point that somebody can hold the private half of. */
function requireKey(key: Uint8Array, name: "view" | "spend"): string {
  if (key.length !== 32) throw refuse(`This address is incomplete: its ${name} key is missing or cut off.`);
  try {
    if (!ristretto255.Point.fromBytes(key).is0()) return Buffer.from(key).toString("hex");
  } catch {
    // Not the canonical encoding of a Ristretto point (RFC 9496, 4.3.1); refused below like the identity.
  }
  throw refuse(`This address is damaged: its ${name} key is not a valid one.`);
}

function read(bytes: Uint8Array): WireField[] {
  try {
    return readFields(bytes);
  } catch {
    throw refuse("This is not a MobileCoin address.");
  }
}

function requireBytes(field: WireField): Uint8Array {
  if (typeof field.value === "bigint") throw refuse("This is not a MobileCoin address.");
  return field.value;
}

function concat(parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

function refuse(message: string): ExchangeError {
  return new ExchangeError("address_invalid", { message });
}

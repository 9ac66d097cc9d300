import { crc32 } from "node:zlib";
import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { ristretto255 } from "@noble/curves/ed25519.js";
import { base58 } from "@scure/base";
import { ExchangeError } from "../errors";

/** Fog addresses stay under 255 characters (MobileCoin, util/keyfile/tests/b58-length.rs); longer text is not read. */
const maxTextLength = 600;
/** The shortest address has no Fog data: 4 bytes of checksum and two keys make 106 or 107 characters. */
const minTextLength = 106;

type MobAddress = {
  /** The base58 text without URI or spaces. */
  address: string;
  /** hex(view key) + hex(spend key): the same for every form of one address. */
  canonical: string;
  /** The Fog report server, such as Signal's; empty for an address without Fog. */
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

/** A protobuf field; `bytes` is null if the field is not length-delimited. */
type Field = { number: number; bytes: Uint8Array | null };

/**
 * Parses a MobileCoin public address: base58 of a little-endian CRC-32 and a protobuf
 * PrintableWrapper (mobilecoin, api/src/display.rs and api/proto/printable.proto). Accepts
 * the base58 text or a `mob:///b58/…` URI. Stricter than the reference in two ways: it refuses a key that is the
 * identity point, and text that differs from its own encoding, so that each address has one form.
 *
 * @throws address_invalid, with a message for the customer. The message never repeats the
 * input: a gift code pasted by mistake is a secret.
 */
export function parseMobAddress(text: string): MobAddress {
  if (text.length > maxTextLength) throw refuse("This is too long to be a MobileCoin address.");
  const address = stripUri(text.trim());
  if (address === "") throw refuse("Enter a MobileCoin address.");
  refuseOtherCoins(address);
  const foreign = /[^1-9A-HJ-NP-Za-km-z]/.exec(address)?.[0];
  if (foreign !== undefined) throw refuse(toForeignCharacterMessage(foreign));

  const parts = decodeMobAddress(address);
  const canonical = toCanonical(parts);
  if (encodeMobAddress(parts) !== address) {
    throw refuse("This address contains data we can't read. Use a plain MobileCoin address.");
  }
  return { address, canonical, fogReportUrl: parts.fogReportUrl ?? "" };
}

/**
 * Requires that an address does not use Fog, or uses a known server. To pay it, full-service connects to that server,
 * without a time limit, and nothing else can use the wallet in the meantime. URLs are compared as text, so that no two
 * parsers can disagree about them. Only the default port is optional.
 * @throws address_invalid, with a message for the customer
 */
export function requireKnownFog(
  { fogReportUrl }: Pick<MobAddress, "fogReportUrl">,
  known: readonly string[] | null,
): void {
  const isKnown = (servers: readonly string[]) =>
    servers.some((server) => withoutDefaultPort(server) === withoutDefaultPort(fogReportUrl));
  if (fogReportUrl === "" || known === null || isKnown(known)) return;
  throw refuse("We can't pay addresses with this wallet's Fog server. Use an address from Signal, or one without Fog.");
}

const withoutDefaultPort = (url: string) => url.replace(/:443$/, "");

/**
 * Reads the keys of an address in any form, even one that `parseMobAddress` refuses because it would
 * be encoded differently. Equal for two texts that name the same recipient. @throws address_invalid
 */
export function readMobAddressKeys(text: string): string {
  if (text.length > maxTextLength || !/^[1-9A-HJ-NP-Za-km-z]+$/.test(text)) {
    throw refuse("This is not a MobileCoin address.");
  }
  return toCanonical(decodeMobAddress(text));
}

function toCanonical(parts: MobAddressParts): string {
  return requireKey(parts.viewPublicKey, "view") + requireKey(parts.spendPublicKey, "spend");
}

function decodeMobAddress(address: string): MobAddressParts {
  const bytes = base58.decode(address);
  if (bytes.length < 5) throw refuse(toTooShortMessage(address));
  const body = bytes.subarray(4);
  const checksum = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  if (checksum !== crc32(body)) {
    if (address.length < minTextLength) throw refuse(toTooShortMessage(address));
    throw refuse("The checksum of this address is wrong: a character is missing or mistyped. Copy it again.");
  }

  return readAddress(readWrapper(body));
}

function toTooShortMessage({ length }: string): string {
  return `This is too short: a MobileCoin address has at least ${minTextLength} characters, this has ${length}. Copy the whole address again.`;
}

/** Names the character only if it is one that people mistype, so that the message stays readable. */
function toForeignCharacterMessage(character: string): string {
  return /[0OIl]/.test(character)
    ? `This contains “${character}”. MobileCoin addresses have no 0, O, I or l. Copy the whole address again.`
    : "This contains a character that MobileCoin addresses don't use. Copy the whole address again.";
}

const otherCoins: readonly [pattern: RegExp, name: string][] = [
  [/^(?:ethereum:)?0x[0-9a-fA-F]*/i, "an Ethereum address"],
  [/^(?:bitcoin:|bc1[02-9ac-hj-np-z]{20,}$|[13][1-9A-HJ-NP-Za-km-z]{25,34}$)/i, "a Bitcoin address"],
  [/^T[1-9A-HJ-NP-Za-km-z]{33}$/, "a Tron address"],
  [/^(?:monero:|[48][1-9A-HJ-NP-Za-km-z]{94}$)/, "a Monero address"],
  [/^[1-9A-HJ-NP-Za-km-z]{43,44}$/, "a Solana address"],
];

function refuseOtherCoins(text: string): void {
  const name = otherCoins.find(([pattern]) => pattern.test(text))?.[1];
  if (name) throw refuse(`This looks like ${name}, not a MobileCoin address.`);
}

/** Encodes a public address as wallets print it. If there is no report URL, the other Fog fields are left out too. */
export function encodeMobAddress(parts: MobAddressParts): string {
  return encodePrintable([[1, encodePublicAddress(parts)]]);
}

/**
 * Encodes a request to pay an amount of pico-MOB to an address. Wallets that open `mob:` links fill in both; Signal
 * accepts plain addresses only. @throws address_invalid
 */
export function encodePaymentRequest(address: string, amount: bigint): string {
  const { address: plain } = parseMobAddress(address);
  const publicAddress = encodePublicAddress(decodeMobAddress(plain));
  const request = new BinaryWriter();
  request.tag(1, WireType.LengthDelimited).bytes(publicAddress);
  request.tag(2, WireType.Varint).uint64(amount);
  return encodePrintable([[2, request.finish()]]);
}

function encodePublicAddress(parts: MobAddressParts): Uint8Array {
  const utf8 = new TextEncoder();
  return encodeFields([
    [1, encodeFields([[1, parts.viewPublicKey]])],
    [2, encodeFields([[1, parts.spendPublicKey]])],
    ...(parts.fogReportUrl
      ? ([
          [3, utf8.encode(parts.fogReportUrl)],
          [4, utf8.encode(parts.fogReportId ?? "")],
          [5, parts.fogAuthoritySig ?? new Uint8Array()],
        ] as const)
      : []),
  ]);
}

/** Base58 of a PrintableWrapper and its checksum. */
function encodePrintable(wrapper: (readonly [number: number, bytes: Uint8Array])[]): string {
  const body = encodeFields(wrapper);
  const bytes = new Uint8Array(4 + body.length);
  new DataView(bytes.buffer).setUint32(0, crc32(body), true);
  bytes.set(body, 4);
  return base58.encode(bytes);
}

/** `mob:///b58/X`, `mob://host/b58/X` and `mob://host:port/b58/X`, as MobileCoin's own SDKs accept. */
function stripUri(text: string): string {
  if (!/^mob:/i.test(text)) return text;
  const address = /^mob:\/\/[^/]*\/b58\/([^/?#]*)$/i.exec(text)?.[1];
  if (address === undefined) throw refuse("This mob: link doesn't contain a MobileCoin address.");
  return address;
}

/** PrintableWrapper is a oneof: the number of its only field says what the text is. */
function readWrapper(body: Uint8Array): Uint8Array {
  const [field, ...more] = readFields(body);
  if (!field) throw refuse("This is not a MobileCoin address.");
  if (field.number === 2) throw refuse("This is a payment request, not an address. Ask for the plain address.");
  if (field.number === 3 || field.number === 4) {
    throw refuse("This is a gift code, not an address. Keep it secret: anyone who sees it can take its coins.");
  }
  if (field.number !== 1 || more.length > 0) throw refuse("This is not a MobileCoin address.");
  return requireBytes(field);
}

function readAddress(bytes: Uint8Array): MobAddressParts {
  const fields = new Map(readFields(bytes).map((field) => [field.number, field]));
  const readBytes = (number: number) => {
    const field = fields.get(number);
    return field ? requireBytes(field) : new Uint8Array();
  };
  const readKey = (number: number) => {
    const key = readFields(readBytes(number)).find((field) => field.number === 1);
    return key ? requireBytes(key) : new Uint8Array();
  };
  const utf8 = new TextDecoder();
  return {
    viewPublicKey: readKey(1),
    spendPublicKey: readKey(2),
    fogReportUrl: utf8.decode(readBytes(3)),
    fogReportId: utf8.decode(readBytes(4)),
    fogAuthoritySig: readBytes(5),
  };
}

/** Returns the key in hex if it is a valid point that can have a private key. */
function requireKey(key: Uint8Array, name: "view" | "spend"): string {
  if (key.length !== 32) throw refuse(`This address is incomplete: its ${name} key is missing or truncated.`);
  try {
    if (!ristretto255.Point.fromBytes(key).is0()) return Buffer.from(key).toString("hex");
  } catch {
    // Not the canonical encoding of a Ristretto point (RFC 9496, 4.3.1); refused below, like the identity.
  }
  throw refuse(`This address is damaged: its ${name} key is not valid.`);
}

/** Reads a message's fields in order. */
function readFields(message: Uint8Array): Field[] {
  const reader = new BinaryReader(message);
  const fields: Field[] = [];
  try {
    while (reader.pos < reader.len) {
      const [number, type] = reader.tag();
      if (type === WireType.LengthDelimited) {
        fields.push({ number, bytes: reader.bytes() });
      } else {
        reader.skip(type, number);
        fields.push({ number, bytes: null });
      }
    }
  } catch (cause) {
    throw refuse("This is not a MobileCoin address.", cause);
  }
  return fields;
}

/** Encodes length-delimited fields. Empty ones are left out, as proto3 does with default values. */
function encodeFields(fields: (readonly [number: number, bytes: Uint8Array])[]): Uint8Array {
  const writer = new BinaryWriter();
  for (const [number, bytes] of fields) {
    if (bytes.length > 0) writer.tag(number, WireType.LengthDelimited).bytes(bytes);
  }
  return writer.finish();
}

function requireBytes(field: Field): Uint8Array {
  if (field.bytes === null) throw refuse("This is not a MobileCoin address.");
  return field.bytes;
}

function refuse(message: string, cause?: unknown): ExchangeError {
  return new ExchangeError("address_invalid", {
    message,
    fields: { address: message },
    ...(cause !== undefined && { cause }),
  });
}

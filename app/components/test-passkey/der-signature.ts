import { joinBytes } from "./cbor";

/**
 * WebCrypto signs as r ‖ s of 32 bytes each; WebAuthn wants ECDSA-Sig-Value in DER
 * (https://www.w3.org/TR/webauthn-3/#sctn-signature-attestation-types), every integer as short
 * as it can be.
 */
export function toDerSignature(raw: Uint8Array): Uint8Array {
  if (raw.length !== 64) throw new Error("an ES256 signature has 64 bytes");
  const content = joinBytes(toInteger(raw.subarray(0, 32)), toInteger(raw.subarray(32)));
  return joinBytes(Uint8Array.of(0x30, content.length), content);
}

function toInteger(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const short = bytes.subarray(start);
  // A first bit of 1 would make it negative.
  const padding = (short[0] ?? 0) >= 0x80 ? 1 : 0;
  return joinBytes(Uint8Array.of(0x02, short.length + padding), new Uint8Array(padding), short);
}

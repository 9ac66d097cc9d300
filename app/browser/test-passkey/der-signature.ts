import { joinBytes } from "./cbor";

/**
 * Converts a WebCrypto signature (r ‖ s, 32 bytes each) to the DER-encoded ECDSA-Sig-Value that WebAuthn uses
 * (https://www.w3.org/TR/webauthn-3/#sctn-signature-attestation-types), with integers in their shortest form.
 */
export function toDerSignature(raw: Uint8Array): Uint8Array {
  if (raw.length !== 64) throw new Error("An ES256 signature must have 64 bytes.");
  const content = joinBytes(toInteger(raw.subarray(0, 32)), toInteger(raw.subarray(32)));
  return joinBytes(Uint8Array.of(0x30, content.length), content);
}

function toInteger(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const short = bytes.subarray(start);
  // Without padding, a leading 1 bit would make the integer negative.
  const padding = (short[0] ?? 0) >= 0x80 ? 1 : 0;
  return joinBytes(Uint8Array.of(0x02, short.length + padding), new Uint8Array(padding), short);
}

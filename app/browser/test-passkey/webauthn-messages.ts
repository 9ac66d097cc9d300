import { base64urlnopad } from "@scure/base";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/browser";
import { encodeCbor, joinBytes } from "./cbor";

/** Flags of authenticator data (https://www.w3.org/TR/webauthn-3/#authenticator-data). */
export const authenticatorFlags = {
  userPresent: 0x01,
  userVerified: 0x04,
  backupEligible: 0x08,
  backedUp: 0x10,
  attestedCredentialData: 0x40,
} as const;

/** The COSE identifier of ES256 (RFC 9053). */
export const es256Algorithm = -7;

/** A COSE_Key: labels are integers. */
export type CoseKey = ReadonlyMap<number, number | Uint8Array>;

/** A public key for ES256: key type EC2, algorithm, curve P-256, x and y (RFC 9053, section 7.1.1). */
export function toCoseKey({ x, y }: JsonWebKey): CoseKey {
  return new Map<number, number | Uint8Array>([
    [1, 2],
    [3, es256Algorithm],
    [-1, 1],
    [-2, base64urlnopad.decode(x ?? "")],
    [-3, base64urlnopad.decode(y ?? "")],
  ]);
}

/**
 * RP ID hash, flags and counter. For a new credential, also its id and public key, with an AAGUID of zeros and the flag
 * for attested credential data.
 */
export function toAuthenticatorData({
  rpIdHash,
  flags,
  counter,
  credential,
}: {
  rpIdHash: Uint8Array;
  flags: number;
  /** 0 if the authenticator doesn't count. */
  counter: number;
  credential?: { id: Uint8Array; publicKey: CoseKey };
}): Uint8Array<ArrayBuffer> {
  const counterBytes = new Uint8Array(4);
  new DataView(counterBytes.buffer).setUint32(0, counter);
  if (!credential) return joinBytes(rpIdHash, Uint8Array.of(flags), counterBytes);
  const { id, publicKey } = credential;
  return joinBytes(
    rpIdHash,
    Uint8Array.of(flags | authenticatorFlags.attestedCredentialData),
    counterBytes,
    new Uint8Array(16),
    Uint8Array.of(id.length >> 8, id.length & 255),
    id,
    encodeCbor(publicKey),
  );
}

/** The client data, whose hash the authenticator signs: JSON with its members in the order that WebAuthn prescribes. */
export function toClientData({
  type,
  challenge,
  origin,
  ...more
}: {
  type: string;
  challenge: string;
  origin: string;
}): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...more }));
}

/** The members that both responses have. */
const toCredential = (id: string) =>
  ({
    id,
    rawId: id,
    type: "public-key",
    authenticatorAttachment: "platform",
    clientExtensionResults: {},
  }) as const;

type ResponseParts = { id: string; clientData: Uint8Array; authenticatorData: Uint8Array };

/** The response to `navigator.credentials.create`, with attestation "none". */
export function toRegistrationResponse({ id, clientData, authenticatorData }: ResponseParts): RegistrationResponseJSON {
  const attestation = new Map<string, string | Uint8Array | ReadonlyMap<string, never>>([
    ["fmt", "none"],
    ["attStmt", new Map<string, never>()],
    ["authData", authenticatorData],
  ]);
  return {
    ...toCredential(id),
    response: {
      clientDataJSON: base64urlnopad.encode(clientData),
      attestationObject: base64urlnopad.encode(encodeCbor(attestation)),
      transports: ["internal"],
    },
  };
}

/** The response to `navigator.credentials.get`. `signature` is DER-encoded. */
export function toAuthenticationResponse({
  id,
  clientData,
  authenticatorData,
  signature,
  userHandle,
}: ResponseParts & { signature: Uint8Array; userHandle: string }): AuthenticationResponseJSON {
  return {
    ...toCredential(id),
    response: {
      clientDataJSON: base64urlnopad.encode(clientData),
      authenticatorData: base64urlnopad.encode(authenticatorData),
      signature: base64urlnopad.encode(signature),
      userHandle,
    },
  };
}

import { ed25519 } from "@noble/curves/ed25519.js";
import { p256 } from "@noble/curves/nist.js";
import {
  cose,
  decodeClientDataJSON,
  decodeCredentialPublicKey,
  isoBase64URL,
  isoCBOR,
} from "@simplewebauthn/server/helpers";

/*
 * The checks that SimpleWebAuthn leaves to the caller (T29). Authenticators never create keys or ids that fail these
 * checks, but a script that registers a passkey can. A key for which others can forge signatures, or that no signature
 * ever matches, must not be stored.
 */

const { COSEKEYS, COSEKTY, COSEALG, COSECRV } = cose;

/** ES256, EdDSA and RS256: the algorithms that authenticators use and we verify. */
export const passkeyAlgorithms = [COSEALG.ES256, COSEALG.EdDSA, COSEALG.RS256];

/** WebAuthn level 3: at least 16 bytes (section 4, "credential ID") and at most 1023 (section 7.1, step 25). */
const credentialIdBytes = { min: 16, max: 1_023 };

/** Larger RSA keys only make each sign-in slower. */
const rsaBits = { min: 2_048, max: 4_096 };
/** 65537, which authenticators use. Small exponents make signatures forgeable. */
const rsaExponent = "010001";

/**
 * Removes the attestation statement of a new passkey. We don't request or trust attestation, but SimpleWebAuthn
 * verifies any that it gets. For some formats, it then fetches every URL in the sender's certificates, without limits
 * (T19).
 * @param attestationObject CBOR in base64url, as from the browser
 * @throws if it is not an attestation object
 */
export function dropAttestation(attestationObject: string): string {
  const object: unknown = isoCBOR.decodeFirst(isoBase64URL.toBuffer(attestationObject));
  const authData: unknown = object instanceof Map ? object.get("authData") : undefined;
  if (!(authData instanceof Uint8Array)) throw new Error("the attestation object has no authenticator data");
  const unattested = { fmt: "none", attStmt: new Map<string, string>(), authData };
  return isoBase64URL.fromBuffer(isoCBOR.encode(new Map(Object.entries(unattested))));
}

/** @throws if a credential id is shorter or longer than WebAuthn allows, or not base64url */
export function checkCredentialId(id: string): void {
  const bytes = Buffer.from(id, "base64url");
  if (bytes.toString("base64url") !== id) throw new Error("the credential id is not base64url");
  if (bytes.length < credentialIdBytes.min || bytes.length > credentialIdBytes.max) {
    throw new Error(`the credential id has ${bytes.length} bytes`);
  }
}

/**
 * @throws if a page of another site embeds the page that asked for the passkey (WebAuthn level 3, section 7.2, step 13)
 */
export function checkSameOrigin(clientDataJSON: string): void {
  const { crossOrigin, topOrigin } = decodeClientDataJSON(clientDataJSON);
  if ((crossOrigin !== undefined && crossOrigin !== false) || topOrigin !== undefined) {
    throw new Error("the passkey was requested in a frame of another site");
  }
}

/**
 * Checks a COSE key (RFC 9053, RFC 8230): its type fits its algorithm, it has exactly the parameters of that type, and
 * signatures for it cannot be forged. @throws with the reason
 */
export function checkPublicKey(bytes: Uint8Array): void {
  const key: unknown = decodeCredentialPublicKey(new Uint8Array(bytes));
  if (!(key instanceof Map)) throw new Error("the public key is not a COSE key");
  const algorithm: unknown = key.get(COSEKEYS.alg);
  if (algorithm === COSEALG.ES256) checkEs256(key);
  else if (algorithm === COSEALG.EdDSA) checkEd25519(key);
  else if (algorithm === COSEALG.RS256) checkRs256(key);
  else throw new Error("the public key's algorithm is not allowed");
}

type CoseKey = Map<unknown, unknown>;

function checkEs256(key: CoseKey): void {
  requireMembers(key, [COSEKEYS.crv, COSEKEYS.x, COSEKEYS.y]);
  if (key.get(COSEKEYS.kty) !== COSEKTY.EC2 || key.get(COSEKEYS.crv) !== COSECRV.P256) {
    throw new Error("an ES256 key must be on the curve P-256");
  }
  const [x, y] = [requireBytes(key, COSEKEYS.x, 32), requireBytes(key, COSEKEYS.y, 32)];
  // Throws if the point is not on the curve. P-256 has no points of small order.
  p256.Point.fromBytes(new Uint8Array([4, ...x, ...y]));
}

function checkEd25519(key: CoseKey): void {
  requireMembers(key, [COSEKEYS.crv, COSEKEYS.x]);
  if (key.get(COSEKEYS.kty) !== COSEKTY.OKP || key.get(COSEKEYS.crv) !== COSECRV.ED25519) {
    throw new Error("an EdDSA key must be on the curve Ed25519");
  }
  const point = ed25519.Point.fromBytes(requireBytes(key, COSEKEYS.x, 32));
  // With a key of small order, one signature is valid for many messages.
  if (!point.isTorsionFree() || point.is0()) throw new Error("the Ed25519 key has a small order");
}

function checkRs256(key: CoseKey): void {
  requireMembers(key, [COSEKEYS.n, COSEKEYS.e]);
  if (key.get(COSEKEYS.kty) !== COSEKTY.RSA) throw new Error("an RS256 key must be an RSA key");
  const modulus = Buffer.from(requireBytes(key, COSEKEYS.n));
  const [first = 0, last = 0] = [modulus[0], modulus.at(-1)];
  const bits = modulus.length * 8 - (Math.clz32(first) - 24);
  if (first === 0 || bits < rsaBits.min || bits > rsaBits.max) throw new Error(`the RSA key has ${bits} bits`);
  if (last % 2 === 0) throw new Error("the RSA modulus is even");
  if (Buffer.from(requireBytes(key, COSEKEYS.e)).toString("hex") !== rsaExponent) {
    throw new Error("the RSA exponent is not 65537");
  }
}

/** A credential's key has its type, its algorithm and the parameters of that type, and no others (section 6.5.1). */
function requireMembers(key: CoseKey, parameters: number[]): void {
  const members = [COSEKEYS.kty, COSEKEYS.alg, ...parameters];
  if (key.size !== members.length || !members.every((member) => key.has(member))) {
    throw new Error("the public key has missing or unexpected parameters");
  }
}

function requireBytes(key: CoseKey, name: number, length?: number): Uint8Array {
  const value = key.get(name);
  if (!(value instanceof Uint8Array) || (length !== undefined && value.length !== length)) {
    throw new Error("a parameter of the public key has an unexpected form");
  }
  return value;
}

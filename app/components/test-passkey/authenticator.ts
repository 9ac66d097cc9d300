import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/browser";
import { fromBase64Url, toBase64Url } from "./base64url";
import { encodeCbor, joinBytes } from "./cbor";
import { toDerSignature } from "./der-signature";
import type { PasskeyStore, StoredPasskey } from "./stored-passkeys";

const es256 = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
/** Flags of authenticator data (https://www.w3.org/TR/webauthn-3/#authenticator-data). */
const userPresentAndVerified = 0x01 | 0x04;
const attestedCredentialData = 0x40;
/** The COSE identifier of ES256 (RFC 9053). */
const es256Algorithm = -7;

export type TestAuthenticator = {
  register(options: PublicKeyCredentialCreationOptionsJSON): Promise<RegistrationResponseJSON>;
  authenticate(options: PublicKeyCredentialRequestOptionsJSON): Promise<AuthenticationResponseJSON>;
};

/**
 * A software authenticator for the sandbox: ES256, attestation "none", discoverable keys that never leave this
 * browser. It returns what `startRegistration` and `startAuthentication` return, and the exchange verifies it like
 * a real one. It has no user verification, so it must not protect real money.
 * Rejects with the same error names as `navigator.credentials`.
 */
export function createTestAuthenticator({ origin, store }: { origin: string; store: PasskeyStore }): TestAuthenticator {
  return {
    async register(options) {
      const rpId = options.rp.id ?? new URL(origin).hostname;
      requireOwnDomain(rpId, origin);
      if (!options.pubKeyCredParams.some(({ alg }) => alg === es256Algorithm)) {
        throw new DOMException("Test passkeys support only ES256.", "NotSupportedError");
      }
      const excluded = options.excludeCredentials?.map(({ id }) => id) ?? [];
      if (store.list().some((passkey) => passkey.rpId === rpId && excluded.includes(passkey.id))) {
        throw new DOMException("This browser already has a test passkey for this account.", "InvalidStateError");
      }
      const pair = await crypto.subtle.generateKey(es256, true, ["sign", "verify"]);
      const id = crypto.getRandomValues(new Uint8Array(16));
      store.add({
        id: toBase64Url(id),
        rpId,
        userHandle: options.user.id,
        userName: options.user.name,
        createdAt: new Date().toISOString(),
        privateKey: await crypto.subtle.exportKey("jwk", pair.privateKey),
      });
      const publicKey = await crypto.subtle.exportKey("jwk", pair.publicKey);
      const attested = joinBytes(new Uint8Array(16), Uint8Array.of(0, id.length), id, encodeCbor(toCoseKey(publicKey)));
      const authData = joinBytes(
        await toAuthenticatorData(rpId, userPresentAndVerified | attestedCredentialData),
        attested,
      );
      const attestation = new Map<string, string | Uint8Array | ReadonlyMap<string, never>>([
        ["fmt", "none"],
        ["attStmt", new Map<string, never>()],
        ["authData", authData],
      ]);
      return {
        id: toBase64Url(id),
        rawId: toBase64Url(id),
        type: "public-key",
        authenticatorAttachment: "platform",
        clientExtensionResults: {},
        response: {
          clientDataJSON: toBase64Url(toClientData("webauthn.create", options.challenge, origin)),
          attestationObject: toBase64Url(encodeCbor(attestation)),
          transports: ["internal"],
        },
      };
    },

    async authenticate(options) {
      const rpId = options.rpId ?? new URL(origin).hostname;
      requireOwnDomain(rpId, origin);
      const passkey = findPasskey(store.list(), rpId, options.allowCredentials?.map(({ id }) => id) ?? []);
      if (!passkey) throw new DOMException("This browser has no test passkey for this account.", "NotAllowedError");
      const key = await crypto.subtle.importKey("jwk", passkey.privateKey, es256, false, ["sign"]);
      const authData = await toAuthenticatorData(rpId, userPresentAndVerified);
      const clientData = toClientData("webauthn.get", options.challenge, origin);
      const signed = joinBytes(authData, new Uint8Array(await crypto.subtle.digest("SHA-256", clientData)));
      const signature = toDerSignature(new Uint8Array(await crypto.subtle.sign(es256, key, signed)));
      return {
        id: passkey.id,
        rawId: passkey.id,
        type: "public-key",
        authenticatorAttachment: "platform",
        clientExtensionResults: {},
        response: {
          clientDataJSON: toBase64Url(clientData),
          authenticatorData: toBase64Url(authData),
          signature: toBase64Url(signature),
          userHandle: passkey.userHandle,
        },
      };
    },
  };
}

/** The newest passkey of this domain, limited to the allowed ids if there are any. */
function findPasskey(passkeys: StoredPasskey[], rpId: string, allowed: string[]): StoredPasskey | undefined {
  return passkeys.findLast(
    (passkey) => passkey.rpId === rpId && (allowed.length === 0 || allowed.includes(passkey.id)),
  );
}

/** As browsers do, allows only the page's own host or a parent domain. */
function requireOwnDomain(rpId: string, origin: string): void {
  const { hostname } = new URL(origin);
  if (hostname === rpId || hostname.endsWith(`.${rpId}`)) return;
  throw new DOMException(`${hostname} is not part of ${rpId}.`, "SecurityError");
}

/** RP ID hash, flags and counter. The counter is always 0, which means that it isn't used. */
async function toAuthenticatorData(rpId: string, flags: number): Promise<Uint8Array<ArrayBuffer>> {
  const rpIdHash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(rpId));
  return joinBytes(new Uint8Array(rpIdHash), Uint8Array.of(flags), new Uint8Array(4));
}

function toClientData(type: string, challenge: string, origin: string): Uint8Array<ArrayBuffer> {
  return joinBytes(new TextEncoder().encode(JSON.stringify({ type, challenge, origin, crossOrigin: false })));
}

/** COSE_Key (RFC 9053, section 7.1.1): EC2, ES256, P-256, x, y. */
function toCoseKey({ x, y }: JsonWebKey): ReadonlyMap<number, number | Uint8Array> {
  return new Map<number, number | Uint8Array>([
    [1, 2],
    [3, es256Algorithm],
    [-1, 1],
    [-2, fromBase64Url(x ?? "")],
    [-3, fromBase64Url(y ?? "")],
  ]);
}

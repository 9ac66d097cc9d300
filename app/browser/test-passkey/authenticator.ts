import { base64urlnopad } from "@scure/base";
import type { Credentials } from "~/browser/credentials";
import { joinBytes } from "./cbor";
import { toDerSignature } from "./der-signature";
import type { PasskeyStore, StoredPasskey } from "./stored-passkeys";
import {
  authenticatorFlags,
  es256Algorithm,
  toAuthenticationResponse,
  toAuthenticatorData,
  toClientData,
  toCoseKey,
  toRegistrationResponse,
} from "./webauthn-messages";

const es256 = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const flags = authenticatorFlags.userPresent | authenticatorFlags.userVerified;
/** Always 0: this authenticator does not count its signatures. */
const counter = 0;

/**
 * A software authenticator for the sandbox: ES256, attestation "none", discoverable keys that never leave this
 * browser. It returns what `startRegistration` and `startAuthentication` return, and the exchange verifies it like
 * a real one. It does not verify the user, so it must not protect real money.
 * Rejects with the same error names as `navigator.credentials`.
 */
export function createTestAuthenticator({ origin, store }: { origin: string; store: PasskeyStore }): Credentials {
  return {
    async register(options) {
      const rpId = options.rp.id ?? new URL(origin).hostname;
      requireOwnDomain(rpId, origin);
      if (!options.pubKeyCredParams.some(({ alg }) => alg === es256Algorithm)) {
        throw new DOMException("Test passkeys support only ES256.", "NotSupportedError");
      }
      const excluded = options.excludeCredentials?.map(({ id }) => id) ?? [];
      if (store.list().some((passkey) => passkey.rpId === rpId && excluded.includes(passkey.id))) {
        const hint = "This browser already has a test passkey for this account. You can sign in with it.";
        throw Object.assign(new DOMException(hint, "InvalidStateError"), { hint });
      }
      const pair = await crypto.subtle.generateKey(es256, true, ["sign", "verify"]);
      const id = crypto.getRandomValues(new Uint8Array(16));
      store.add({
        id: base64urlnopad.encode(id),
        rpId,
        userHandle: options.user.id,
        userName: options.user.name,
        createdAt: new Date().toISOString(),
        privateKey: await crypto.subtle.exportKey("jwk", pair.privateKey),
      });
      const publicKey = toCoseKey(await crypto.subtle.exportKey("jwk", pair.publicKey));
      return toRegistrationResponse({
        id: base64urlnopad.encode(id),
        clientData: toClientData({ type: "webauthn.create", challenge: options.challenge, origin }),
        authenticatorData: toAuthenticatorData({
          rpIdHash: await hash(rpId),
          flags,
          counter,
          credential: { id, publicKey },
        }),
      });
    },

    async authenticate(options) {
      const rpId = options.rpId ?? new URL(origin).hostname;
      requireOwnDomain(rpId, origin);
      const passkey = findPasskey(store.list(), rpId, options.allowCredentials?.map(({ id }) => id) ?? []);
      if (!passkey) throw new DOMException("This browser has no test passkey for this account.", "NotAllowedError");
      const key = await crypto.subtle.importKey("jwk", passkey.privateKey, es256, false, ["sign"]);
      const authenticatorData = toAuthenticatorData({ rpIdHash: await hash(rpId), flags, counter });
      const clientData = toClientData({ type: "webauthn.get", challenge: options.challenge, origin });
      const signed = joinBytes(authenticatorData, new Uint8Array(await crypto.subtle.digest("SHA-256", clientData)));
      const signature = toDerSignature(new Uint8Array(await crypto.subtle.sign(es256, key, signed)));
      const { id, userHandle } = passkey;
      return toAuthenticationResponse({ id, clientData, authenticatorData, signature, userHandle });
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

async function hash(rpId: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(rpId)));
}

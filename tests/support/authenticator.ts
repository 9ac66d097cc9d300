import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import {
  type CoseKey,
  authenticatorFlags as flags,
  toAuthenticationResponse,
  toAuthenticatorData,
  toClientData,
  toCoseKey,
  toRegistrationResponse,
} from "~/browser/test-passkey/webauthn-messages";

/** Overrides of one response, to make it invalid. */
export type Overrides = {
  origin?: string;
  rpId?: string;
  userVerified?: boolean;
  /** Replaces the next counter. */
  counter?: number;
  challenge?: string;
  type?: string;
  /** Fields to change in or add to the client data. */
  clientData?: Record<string, unknown>;
  /** Replaces the COSE map of the public key. */
  publicKey?: CoseKey;
  /** The length of the credential id. */
  idBytes?: number;
};

type Credential = { id: string; userHandle: string; privateKey: KeyObject; counter: number };

/**
 * A passkey in the form that Chromium's virtual authenticator accepts (CDP's WebAuthn.addCredential). Bytes are in
 * base64.
 */
export type ExportedPasskey = {
  credentialId: string;
  isResidentCredential: true;
  rpId: string;
  privateKey: string;
  userHandle: string;
  signCount: number;
};

/**
 * An authenticator whose responses can be made invalid, for tests without a browser. It builds them with
 * the functions of the sandbox's test passkey. It keeps its credentials in memory, and may count its signatures.
 */
export class TestAuthenticator {
  readonly credentials: Credential[] = [];
  backedUp = false;

  constructor(
    readonly origin: string,
    /** Whether the signature counter increases. Synced passkeys always report 0. */
    readonly counts = true,
  ) {}

  create(options: PublicKeyCredentialCreationOptionsJSON, overrides: Overrides = {}): RegistrationResponseJSON {
    const known = options.excludeCredentials?.some(({ id }) => this.credentials.some((c) => c.id === id));
    if (known) throw new Error("InvalidStateError: this authenticator holds a passkey of this account");
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const id = randomBytes(overrides.idBytes ?? 16);
    const credential = { id: id.toString("base64url"), userHandle: options.user.id, privateKey, counter: 0 };
    this.credentials.push(credential);
    return toRegistrationResponse({
      id: credential.id,
      clientData: this.#clientData("webauthn.create", options.challenge, overrides),
      authenticatorData: this.#authenticatorData(options.rp.id ?? "", credential, overrides, {
        id,
        publicKey: overrides.publicKey ?? toCoseKey(publicKey.export({ format: "jwk" })),
      }),
    });
  }

  /** Signs with the newest credential that the options allow. */
  get(options: PublicKeyCredentialRequestOptionsJSON, overrides: Overrides = {}): AuthenticationResponseJSON {
    const allowed = options.allowCredentials?.map(({ id }) => id) ?? [];
    const credential = this.credentials.findLast((c) => allowed.length === 0 || allowed.includes(c.id));
    if (!credential) throw new Error("NotAllowedError: no matching passkey");
    const authenticatorData = this.#authenticatorData(options.rpId ?? "", credential, overrides);
    const clientData = this.#clientData("webauthn.get", options.challenge, overrides);
    const signature = createSign("sha256")
      .update(authenticatorData)
      .update(sha256(clientData))
      .sign(credential.privateKey);
    const { id, userHandle } = credential;
    return toAuthenticationResponse({ id, clientData, authenticatorData, signature, userHandle });
  }

  /** The passkeys, for a browser that uses them instead. */
  exportPasskeys(): ExportedPasskey[] {
    return this.credentials.map(({ id, userHandle, privateKey, counter }) => ({
      credentialId: Buffer.from(id, "base64url").toString("base64"),
      isResidentCredential: true,
      rpId: new URL(this.origin).hostname,
      privateKey: privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"),
      userHandle: Buffer.from(userHandle, "base64url").toString("base64"),
      signCount: counter,
    }));
  }

  #authenticatorData(
    rpId: string,
    credential: Credential,
    overrides: Overrides,
    created?: { id: Uint8Array; publicKey: CoseKey },
  ): Uint8Array {
    if (this.counts) credential.counter += 1;
    return toAuthenticatorData({
      rpIdHash: sha256(overrides.rpId ?? rpId),
      flags:
        flags.userPresent |
        ((overrides.userVerified ?? true) ? flags.userVerified : 0) |
        flags.backupEligible |
        (this.backedUp ? flags.backedUp : 0),
      counter: overrides.counter ?? credential.counter,
      credential: created,
    });
  }

  #clientData(type: string, challenge: string, overrides: Overrides): Uint8Array {
    return toClientData({
      type: overrides.type ?? type,
      challenge: overrides.challenge ?? challenge,
      origin: overrides.origin ?? this.origin,
      ...overrides.clientData,
    });
  }
}

function sha256(data: string | Uint8Array): Buffer {
  return createHash("sha256").update(data).digest();
}

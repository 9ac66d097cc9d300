import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { encodeCbor } from "~/components/test-passkey/cbor";

/** Overrides of one response, to make it invalid. */
export type Overrides = {
  origin?: string;
  rpId?: string;
  userVerified?: boolean;
  /** Replaces the next counter. */
  counter?: number;
  challenge?: string;
  type?: string;
  /** Members to change in or add to the client data. */
  clientData?: Record<string, unknown>;
  /** Replaces the COSE map of the public key. */
  publicKey?: Map<number, number | Uint8Array>;
  /** The length of the credential id. */
  idBytes?: number;
};

type Credential = { id: string; userHandle: string; privateKey: KeyObject; counter: number };

/** A passkey as Chromium's virtual authenticator takes it (CDP's WebAuthn.addCredential). Bytes are in base64. */
export type ExportedPasskey = {
  credentialId: string;
  isResidentCredential: true;
  rpId: string;
  privateKey: string;
  userHandle: string;
  signCount: number;
};

/**
 * A software authenticator (ES256, attestation "none", discoverable credentials) that
 * returns the same JSON as a browser's `navigator.credentials`, for tests without a browser.
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
    const jwk = publicKey.export({ format: "jwk" });
    const id = randomBytes(overrides.idBytes ?? 16);
    const cose = encodeCbor(
      overrides.publicKey ??
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(String(jwk.x), "base64url")],
          [-3, Buffer.from(String(jwk.y), "base64url")],
        ]),
    );
    const credential = { id: id.toString("base64url"), userHandle: options.user.id, privateKey, counter: 0 };
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([id.length >> 8, id.length & 255]), id, cose]);
    const authData = Buffer.concat([
      this.#authenticatorData(options.rp.id ?? "", credential, 0x40, overrides),
      attested,
    ]);
    const attestation = new Map<string, string | Uint8Array | Map<string, never>>([
      ["fmt", "none"],
      ["attStmt", new Map<string, never>()],
      ["authData", authData],
    ]);
    this.credentials.push(credential);
    return {
      id: credential.id,
      rawId: credential.id,
      type: "public-key",
      clientExtensionResults: {},
      authenticatorAttachment: "platform",
      response: {
        clientDataJSON: this.#clientData("webauthn.create", options.challenge, overrides).toString("base64url"),
        attestationObject: Buffer.from(encodeCbor(attestation)).toString("base64url"),
        transports: ["internal"],
      },
    };
  }

  /** Signs with the newest credential that the options allow. */
  get(options: PublicKeyCredentialRequestOptionsJSON, overrides: Overrides = {}): AuthenticationResponseJSON {
    const allowed = options.allowCredentials?.map(({ id }) => id) ?? [];
    const credential = this.credentials.findLast((c) => allowed.length === 0 || allowed.includes(c.id));
    if (!credential) throw new Error("NotAllowedError: no matching passkey");
    const authData = this.#authenticatorData(options.rpId ?? "", credential, 0, overrides);
    const clientData = this.#clientData("webauthn.get", options.challenge, overrides);
    const signed = Buffer.concat([authData, createHash("sha256").update(clientData).digest()]);
    const signature = createSign("sha256").update(signed).sign(credential.privateKey);
    return {
      id: credential.id,
      rawId: credential.id,
      type: "public-key",
      clientExtensionResults: {},
      authenticatorAttachment: "platform",
      response: {
        clientDataJSON: clientData.toString("base64url"),
        authenticatorData: authData.toString("base64url"),
        signature: signature.toString("base64url"),
        userHandle: credential.userHandle,
      },
    };
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

  /** WebAuthn level 3, section 6.1: RP ID hash, flags, counter. */
  #authenticatorData(rpId: string, credential: Credential, extraFlags: number, overrides: Overrides): Buffer {
    if (this.counts) credential.counter += 1;
    const verified = overrides.userVerified ?? true;
    const flags = 0x01 | (verified ? 0x04 : 0) | 0x08 | (this.backedUp ? 0x10 : 0) | extraFlags;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(overrides.counter ?? credential.counter);
    return Buffer.concat([
      createHash("sha256")
        .update(overrides.rpId ?? rpId)
        .digest(),
      Buffer.from([flags]),
      counter,
    ]);
  }

  #clientData(type: string, challenge: string, overrides: Overrides): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: overrides.type ?? type,
        challenge: overrides.challenge ?? challenge,
        origin: overrides.origin ?? this.origin,
        crossOrigin: false,
        ...overrides.clientData,
      }),
    );
  }
}

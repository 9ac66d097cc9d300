import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { encodeCbor } from "./cbor";

/** What one answer shall differ in from an honest one. */
export type Lies = {
  origin?: string;
  rpId?: string;
  userVerified?: boolean;
  /** The counter to tell instead of the next one. */
  counter?: number;
  challenge?: string;
  type?: string;
};

type Credential = { id: string; userHandle: string; privateKey: KeyObject; counter: number };

/**
 * A software authenticator (ES256, attestation "none", discoverable credentials) that
 * makes the same JSON as a browser's `navigator.credentials`: for tests that need passkeys
 * and no browser.
 */
export class TestAuthenticator {
  readonly credentials: Credential[] = [];
  backedUp = false;

  constructor(
    readonly origin: string,
    /** Synced passkeys tell 0 for ever. */
    readonly counts = true,
  ) {}

  create(options: PublicKeyCredentialCreationOptionsJSON, lies: Lies = {}): RegistrationResponseJSON {
    const known = options.excludeCredentials?.some(({ id }) => this.credentials.some((c) => c.id === id));
    if (known) throw new Error("InvalidStateError: this authenticator holds a passkey of this account");
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const jwk = publicKey.export({ format: "jwk" });
    const id = randomBytes(16);
    const cose = encodeCbor(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(String(jwk.x), "base64url")],
        [-3, Buffer.from(String(jwk.y), "base64url")],
      ]),
    );
    const credential = { id: id.toString("base64url"), userHandle: options.user.id, privateKey, counter: 0 };
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose]);
    const authData = Buffer.concat([this.#authenticatorData(options.rp.id ?? "", credential, 0x40, lies), attested]);
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
        clientDataJSON: this.#clientData("webauthn.create", options.challenge, lies).toString("base64url"),
        attestationObject: encodeCbor(attestation).toString("base64url"),
        transports: ["internal"],
      },
    };
  }

  /** Answers with the newest credential that the options allow. */
  get(options: PublicKeyCredentialRequestOptionsJSON, lies: Lies = {}): AuthenticationResponseJSON {
    const allowed = options.allowCredentials?.map(({ id }) => id) ?? [];
    const credential = this.credentials.findLast((c) => allowed.length === 0 || allowed.includes(c.id));
    if (!credential) throw new Error("NotAllowedError: no passkey fits");
    const authData = this.#authenticatorData(options.rpId ?? "", credential, 0, lies);
    const clientData = this.#clientData("webauthn.get", options.challenge, lies);
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

  /** WebAuthn level 3, section 6.1: RP ID hash, flags, counter. */
  #authenticatorData(rpId: string, credential: Credential, extraFlags: number, lies: Lies): Buffer {
    if (this.counts) credential.counter += 1;
    const verified = lies.userVerified ?? true;
    const flags = 0x01 | (verified ? 0x04 : 0) | 0x08 | (this.backedUp ? 0x10 : 0) | extraFlags;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(lies.counter ?? credential.counter);
    return Buffer.concat([
      createHash("sha256")
        .update(lies.rpId ?? rpId)
        .digest(),
      Buffer.from([flags]),
      counter,
    ]);
  }

  #clientData(type: string, challenge: string, lies: Lies): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? this.origin,
        crossOrigin: false,
      }),
    );
  }
}

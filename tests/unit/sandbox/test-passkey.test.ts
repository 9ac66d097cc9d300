import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { describe, expect, it } from "vitest";
import { createTestAuthenticator } from "~/browser/test-passkey/authenticator";
import { toDerSignature } from "~/browser/test-passkey/der-signature";
import { createPasskeyStore } from "~/browser/test-passkey/stored-passkeys";
import { isStrictEcdsaSignature } from "~/exchange.server/accounts/ecdsa-signature";

const origin = "http://localhost:3000";
const rpID = "localhost";

function createStore() {
  const items = new Map<string, string>();
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  };
}

function open(store = createStore()) {
  const passkeys = createPasskeyStore(store);
  return { passkeys, authenticator: createTestAuthenticator({ origin, store: passkeys }) };
}

async function register(
  authenticator: ReturnType<typeof open>["authenticator"],
  excludeCredentials?: { id: string }[],
) {
  const options = await generateRegistrationOptions({
    rpName: "Antelope",
    rpID,
    userName: "ada@example.org",
    attestationType: "none",
    authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
    excludeCredentials,
  });
  const response = await authenticator.register(options);
  const { registrationInfo, verified } = await verifyRegistrationResponse({
    response,
    expectedChallenge: options.challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
  });
  if (!registrationInfo) throw new Error("no registration info");
  return { verified, response, credential: registrationInfo.credential, info: registrationInfo };
}

describe("the test passkey", () => {
  it("registers and signs in like a real one, verified by the server's library", async () => {
    const { authenticator } = open();
    const { verified, credential, info } = await register(authenticator);
    expect(verified).toBe(true);
    expect(info).toMatchObject({ fmt: "none", userVerified: true, credentialDeviceType: "singleDevice" });

    // Repeated, because the integers of a signature vary in length.
    for (let round = 0; round < 40; round += 1) {
      const options = await generateAuthenticationOptions({
        rpID,
        allowCredentials: [{ id: credential.id }],
        userVerification: "required",
      });
      const response = await authenticator.authenticate(options);
      const result = await verifyAuthenticationResponse({
        response,
        expectedChallenge: options.challenge,
        expectedOrigin: origin,
        expectedRPID: rpID,
        credential,
        requireUserVerification: true,
      });
      expect(result.verified).toBe(true);
      expect(isStrictEcdsaSignature(Buffer.from(response.response.signature, "base64url"))).toBe(true);
    }
  });

  it("is refused for another origin, challenge or site", async () => {
    const { authenticator } = open();
    const { credential } = await register(authenticator);
    const options = await generateAuthenticationOptions({ rpID, userVerification: "required" });
    const response = await authenticator.authenticate(options);
    const honest = {
      response,
      expectedChallenge: options.challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      credential,
    };
    await expect(verifyAuthenticationResponse({ ...honest, expectedOrigin: "http://evil.example" })).rejects.toThrow();
    await expect(verifyAuthenticationResponse({ ...honest, expectedChallenge: "b3RoZXI" })).rejects.toThrow();
    await expect(verifyAuthenticationResponse({ ...honest, expectedRPID: "evil.example" })).rejects.toThrow();
    await expect(authenticator.authenticate({ ...options, rpId: "evil.example" })).rejects.toMatchObject({
      name: "SecurityError",
    });
  });

  it("stays in the browser: it survives a reload, and a reset removes it", async () => {
    const store = createStore();
    const { credential } = await register(open(store).authenticator);
    const reloaded = open(store);
    const options = await generateAuthenticationOptions({ rpID, userVerification: "required" });
    expect((await reloaded.authenticator.authenticate(options)).id).toBe(credential.id);
    expect(reloaded.passkeys.list()).toMatchObject([{ userName: "ada@example.org", rpId: rpID }]);
    reloaded.passkeys.clear();
    for (const { authenticator } of [reloaded, open()]) {
      await expect(authenticator.authenticate(options)).rejects.toMatchObject({ name: "NotAllowedError" });
    }
  });

  it("refuses a second passkey for an account that has one in this browser", async () => {
    const { authenticator } = open();
    const { credential } = await register(authenticator);
    await expect(register(authenticator, [{ id: credential.id }])).rejects.toMatchObject({ name: "InvalidStateError" });
  });

  it("ignores stored data that it cannot read", async () => {
    const store = createStore();
    for (const broken of ["{", "{}", '[{"id":1}]', "null"]) {
      store.setItem("antelope.test-passkeys", broken);
      expect(createPasskeyStore(store).list()).toEqual([]);
    }
  });

  it("encodes every integer of a signature in its shortest form", () => {
    const raw = new Uint8Array(64);
    raw[31] = 0x7f;
    raw[63] = 0x80;
    expect(Buffer.from(toDerSignature(raw)).toString("hex")).toBe("300702017f02020080");
  });
});

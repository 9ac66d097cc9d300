import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { describe, expect, it } from "vitest";
import { createTestAuthenticator } from "~/components/test-passkey/authenticator";
import { toDerSignature } from "~/components/test-passkey/der-signature";
import { keepPasskeys } from "~/components/test-passkey/kept-passkeys";
import { isStrictEcdsaSignature } from "../../../app/exchange.server/accounts/ecdsa-signature";

const origin = "http://localhost:3000";
const rpID = "localhost";

function createStore() {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
}

function open(store = createStore()) {
  const keep = keepPasskeys(store);
  return { keep, authenticator: createTestAuthenticator({ origin, keep }) };
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
  it("registers and signs in as a real one does, verified by the server's own library", async () => {
    const { authenticator } = open();
    const { verified, credential, info } = await register(authenticator);
    expect(verified).toBe(true);
    expect(info).toMatchObject({ fmt: "none", userVerified: true, credentialDeviceType: "singleDevice" });

    // Again and again: a signature's numbers differ in length from one to the next.
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

  it("is not believed for another origin, another challenge or another site", async () => {
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

  it("stays in the browser: a reload finds it, a reset forgets it, another browser has none", async () => {
    const store = createStore();
    const { credential } = await register(open(store).authenticator);
    const reloaded = open(store);
    const options = await generateAuthenticationOptions({ rpID, userVerification: "required" });
    expect((await reloaded.authenticator.authenticate(options)).id).toBe(credential.id);
    expect(reloaded.keep.list()).toMatchObject([{ userName: "ada@example.org", rpId: rpID }]);
    reloaded.keep.clear();
    for (const { authenticator } of [reloaded, open()]) {
      await expect(authenticator.authenticate(options)).rejects.toMatchObject({ name: "NotAllowedError" });
    }
  });

  it("refuses a second passkey where the account's is here already", async () => {
    const { authenticator } = open();
    const { credential } = await register(authenticator);
    await expect(register(authenticator, [{ id: credential.id }])).rejects.toMatchObject({ name: "InvalidStateError" });
  });

  it("takes what it cannot read for none", async () => {
    const store = createStore();
    for (const broken of ["{", "{}", '[{"id":1}]', "null"]) {
      store.setItem("antelope.test-passkeys", broken);
      expect(keepPasskeys(store).list()).toEqual([]);
    }
  });

  it("writes every integer of a signature as short as it can be", () => {
    const raw = new Uint8Array(64);
    raw[31] = 0x7f;
    raw[63] = 0x80;
    expect(Buffer.from(toDerSignature(raw)).toString("hex")).toBe("300702017f02020080");
  });
});

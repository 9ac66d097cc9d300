import { describe, expect, it } from "vitest";
import { createTestExchange } from "../../support/exchange";
import { forAllTests } from "../../support/for-tests";
import { testDatabases } from "../../support/test-database";

describe.each(testDatabases)("signing up and signing in, on %s", (database) => {
  const exchange = forAllTests(() => createTestExchange({ database }));

  it("C09 C10 C04 C05 registers a passkey, verifies the address with its token and keeps the passkey level", async () => {
    const registered = await exchange.register("Ada@Example.org");
    expect(registered.status).toBe(200);
    expect(Object.keys(registered.body).sort()).toEqual(["access_token", "refresh_token"]);
    const before = await exchange.api("GET", "/api/users/me", { token: registered.body.access_token });
    expect(before.body).toMatchObject({
      email: "ada@example.org",
      email_verified: false,
      is_active: true,
      kyc_status: "not_started",
      passkey_authenticated: true,
    });
    expect(await exchange.inbox.list("ada@example.org")).toEqual([]);

    const verified = await exchange.signInByCode("ada@example.org", registered.body.access_token);
    expect(verified.status).toBe(200);
    const after = await exchange.api("GET", "/api/users/me", { token: verified.body.access_token });
    expect(after.body).toMatchObject({ id: before.body.id, email_verified: true, passkey_authenticated: true });
    const passkeys = await exchange.api("GET", "/api/users/me/passkeys", { token: verified.body.access_token });
    expect(passkeys.body.items).toHaveLength(1);
  });

  it("C06 signs in with a passkey without an identifier, and C08 with one", async () => {
    const { authenticator, email, user } = await exchange.signUp();
    const signedIn = await exchange.signInByPasskey(authenticator);
    expect(signedIn.status).toBe(200);
    const me = await exchange.api("GET", "/api/users/me", { token: signedIn.body.access_token });
    expect(me.body).toMatchObject({ id: user.id, passkey_authenticated: true, kyc_status: "approved" });

    const began = await exchange.api("POST", "/api/auth/passkey/login-options", { body: { identifier: email } });
    expect(began.status).toBe(200);
    expect(began.body.options).toMatchObject({ rpId: "localhost", userVerification: "required" });
    const finished = await exchange.api("POST", "/api/auth", {
      body: {
        auth_method: "passkey",
        credentials: { challenge_id: began.body.challenge_id, auth_data: authenticator.get(began.body.options) },
      },
    });
    expect(finished.status).toBe(200);
  });

  it("C08 E11 refuses an identifier without passkeys with 401", async () => {
    const response = await exchange.api("POST", "/api/auth/passkey/login-options", {
      body: { identifier: "nobody@example.org" },
    });
    expect(response.status).toBe(401);
    expect(response.body.detail).toEqual({ message: "No passkeys registered for user", code: "passkeys_none" });
  });

  it("C04 C05 a correct code for an unknown address creates a verified account, without the passkey level", async () => {
    const response = await exchange.signInByCode("grace@example.org");
    expect(response.status).toBe(200);
    const me = await exchange.api("GET", "/api/users/me", { token: response.body.access_token });
    expect(me.body).toMatchObject({ email_verified: true, passkey_authenticated: false });
  });

  it("V09 responds to an e-mail sign-in with 202, challenge_id and challenge", async () => {
    const response = await exchange.api("POST", "/api/auth", {
      body: { auth_method: "email", credentials: { identifier: "v09@example.org" } },
    });
    expect(response.status).toBe(202);
    expect(response.body).toEqual({ challenge_id: expect.stringMatching(/^[\w-]{22}$/), challenge: "email" });
  });

  it("C09 requires a discoverable credential with user verification, and does not create an account yet", async () => {
    const response = await exchange.api("POST", "/api/auth/passkey/register", {
      body: { identifier: "c09@example.org" },
    });
    expect(response.body.options.authenticatorSelection).toMatchObject({
      residentKey: "required",
      userVerification: "required",
    });
    expect(response.body.options.rp).toEqual({ name: "Antelope", id: "localhost" });
    const options = await exchange.api("POST", "/api/auth/passkey/register", {
      body: { identifier: "c09@example.org" },
    });
    expect(options.status).toBe(200);
    expect(Buffer.from(options.body.options.challenge, "base64url")).toHaveLength(32);
  });
});

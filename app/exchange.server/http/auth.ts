import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import {
  authRequestSchema,
  challengeSchema,
  passkeyOptionsRequestSchema,
  passkeyOptionsSchema,
  passkeyVerifyRequestSchema,
  refreshRequestSchema,
  tokensSchema,
} from "../../api/contract";
import { signInByCode } from "../accounts/accounts";
import { requestEmailCode } from "../accounts/email-codes";
import { finishRegistration, startRegistration } from "../accounts/passkey-registration";
import { finishPasskeySignIn, startPasskeySignIn, startPasskeySignInFor } from "../accounts/passkey-sign-in";
import { endSession, refreshSession } from "../accounts/sessions";
import type { ExchangeContext } from "../context";
import { type Env, requireCaller } from "./env";
import { createRouter, json, refusals } from "./router";

const signInRoute = createRoute({
  method: "post",
  path: "/api/auth",
  tags: ["sign-in"],
  summary: "Ask for an e-mail code or a passkey challenge, or answer one",
  request: { body: { required: true, content: json(authRequestSchema) } },
  responses: {
    200: { description: "Signed in", content: json(tokensSchema) },
    202: { description: "A challenge to answer", content: json(challengeSchema) },
    ...refusals(400, 401, 403, 422, 429, 503),
  },
});

const refreshRoute = createRoute({
  method: "post",
  path: "/api/auth/refresh",
  tags: ["sign-in"],
  summary: "Exchange a refresh token for new tokens",
  request: { body: { required: true, content: json(refreshRequestSchema) } },
  responses: {
    200: { description: "New tokens", content: json(tokensSchema) },
    ...refusals(400, 401, 403, 422, 429, 503),
  },
});

const logoutRoute = createRoute({
  method: "post",
  path: "/api/auth/logout",
  tags: ["sign-in"],
  summary: "End this session: its access and refresh tokens",
  responses: { 204: { description: "Ended" }, ...refusals(401, 403, 429, 503) },
});

const loginOptionsRoute = createRoute({
  method: "post",
  path: "/api/auth/passkey/login-options",
  tags: ["sign-in"],
  summary: "A challenge for one account's passkeys",
  request: { body: { required: true, content: json(passkeyOptionsRequestSchema) } },
  responses: {
    200: { description: "Options for navigator.credentials.get", content: json(passkeyOptionsSchema) },
    ...refusals(400, 401, 422, 429, 503),
  },
});

const registerRoute = createRoute({
  method: "post",
  path: "/api/auth/passkey/register",
  tags: ["sign-in"],
  summary: "Begin to register a passkey, for a new account or one's own",
  request: { body: { required: true, content: json(passkeyOptionsRequestSchema) } },
  responses: {
    200: { description: "Options for navigator.credentials.create", content: json(passkeyOptionsSchema) },
    ...refusals(400, 401, 403, 409, 422, 429, 503),
  },
});

const registerVerifyRoute = createRoute({
  method: "post",
  path: "/api/auth/passkey/register/verify",
  tags: ["sign-in"],
  summary: "Complete the registration of a passkey",
  request: { body: { required: true, content: json(passkeyVerifyRequestSchema) } },
  responses: {
    200: { description: "Registered and signed in", content: json(tokensSchema) },
    ...refusals(400, 401, 403, 409, 422, 429, 503),
  },
});

/** C04 to C10, and ending a session. */
export function authRoutes(x: ExchangeContext): OpenAPIHono<Env> {
  const app = createRouter();

  app.openapi(signInRoute, async (c) => {
    const body = c.req.valid("json");
    const userAgent = c.req.header("User-Agent") ?? null;
    if (!("credentials" in body)) return c.json(await startPasskeySignIn(x), 202);
    const { credentials } = body;
    if ("identifier" in credentials) {
      const challenge = await requestEmailCode(x, credentials.identifier, c.get("caller"), c.env?.remoteAddress);
      return c.json(challenge, 202);
    }
    const { challenge_id, auth_data } = credentials;
    if (isCode(auth_data)) {
      return c.json(await signInByCode(x, challenge_id, auth_data.code, c.get("caller"), userAgent), 200);
    }
    // The library checks every member of it, and that is what it is given to the library for.
    const response = auth_data as unknown as AuthenticationResponseJSON;
    return c.json(await finishPasskeySignIn(x, challenge_id, response, userAgent), 200);
  });

  app.openapi(refreshRoute, async (c) => c.json(await refreshSession(x, c.req.valid("json").refresh_token), 200));

  app.openapi(logoutRoute, async (c) => {
    const caller = requireCaller(c);
    await endSession(x, caller, caller.sessionId);
    return c.body(null, 204);
  });

  app.openapi(loginOptionsRoute, async (c) => {
    return c.json(await startPasskeySignInFor(x, c.req.valid("json").identifier), 200);
  });

  app.openapi(registerRoute, async (c) => {
    const { identifier } = c.req.valid("json");
    return c.json(await startRegistration(x, identifier, c.get("caller"), c.get("deadToken")), 200);
  });

  app.openapi(registerVerifyRoute, async (c) => {
    const { identifier, challenge_id, attestation } = c.req.valid("json");
    const tokens = await finishRegistration(
      x,
      { identifier, challengeId: challenge_id, attestation: attestation as unknown as RegistrationResponseJSON },
      c.get("caller"),
      c.get("deadToken"),
      c.req.header("User-Agent") ?? null,
    );
    return c.json(tokens, 200);
  });

  return app;
}

function isCode(authData: object): authData is { code: string } {
  return "code" in authData && typeof authData.code === "string" && !("id" in authData);
}

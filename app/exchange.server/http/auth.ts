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
import { requestEmailCode } from "../accounts/email-codes";
import { signInByCode } from "../accounts/email-sign-in";
import { endOwnSession } from "../accounts/end-sessions";
import { finishRegistration, startRegistration } from "../accounts/passkey-registration";
import { finishPasskeySignIn, startPasskeySignIn, startPasskeySignInFor } from "../accounts/passkey-sign-in";
import { refreshSession } from "../accounts/refresh-session";
import type { ExchangeContext } from "../context";
import type { Env } from "./env";
import { requireCaller } from "./require-caller";
import { createRouter, json, optionalToken, refusals } from "./router";

const signInRoute = createRoute({
  method: "post",
  path: "/api/auth",
  security: optionalToken,
  tags: ["sign-in"],
  summary: "Request an e-mail code or a passkey challenge, or respond to one",
  request: { body: { required: true, content: json(authRequestSchema) } },
  responses: {
    200: { description: "Signed in", content: json(tokensSchema) },
    202: { description: "A challenge to respond to", content: json(challengeSchema) },
    ...refusals(401, 403, 422),
  },
});

const refreshRoute = createRoute({
  method: "post",
  path: "/api/auth/refresh",
  security: [],
  tags: ["sign-in"],
  summary: "Exchange a refresh token for new tokens",
  request: { body: { required: true, content: json(refreshRequestSchema) } },
  responses: {
    200: { description: "New tokens", content: json(tokensSchema) },
    ...refusals(401, 403, 422),
  },
});

const logoutRoute = createRoute({
  method: "post",
  path: "/api/auth/logout",
  tags: ["sign-in"],
  summary: "Sign out: end this session and its tokens",
  responses: { 204: { description: "Signed out" }, ...refusals(401, 403) },
});

const loginOptionsRoute = createRoute({
  method: "post",
  path: "/api/auth/passkey/login-options",
  security: [],
  tags: ["sign-in"],
  summary: "Request a challenge for the passkeys of one account",
  request: { body: { required: true, content: json(passkeyOptionsRequestSchema) } },
  responses: {
    200: { description: "Options for navigator.credentials.get", content: json(passkeyOptionsSchema) },
    ...refusals(401, 422),
  },
});

const registerRoute = createRoute({
  method: "post",
  path: "/api/auth/passkey/register",
  security: optionalToken,
  tags: ["sign-in"],
  summary: "Start registering a passkey, for a new account or your own",
  request: { body: { required: true, content: json(passkeyOptionsRequestSchema) } },
  responses: {
    200: { description: "Options for navigator.credentials.create", content: json(passkeyOptionsSchema) },
    ...refusals(401, 403, 409, 422),
  },
});

const registerVerifyRoute = createRoute({
  method: "post",
  path: "/api/auth/passkey/register/verify",
  security: optionalToken,
  tags: ["sign-in"],
  summary: "Finish registering a passkey",
  request: { body: { required: true, content: json(passkeyVerifyRequestSchema) } },
  responses: {
    200: { description: "Registered and signed in", content: json(tokensSchema) },
    ...refusals(401, 403, 409, 422),
  },
});

/** Sign-in, registration and sign-out (C04 to C10). */
export function authRoutes(ctx: ExchangeContext): OpenAPIHono<Env> {
  const app = createRouter();

  app.openapi(signInRoute, async (c) => {
    const body = c.req.valid("json");
    const userAgent = c.req.header("User-Agent") ?? null;
    const remoteAddress = c.env?.remoteAddress;
    if (!("credentials" in body)) return c.json(await startPasskeySignIn(ctx), 202);
    const { credentials } = body;
    if ("identifier" in credentials) {
      const challenge = await requestEmailCode(ctx, {
        identifier: credentials.identifier,
        deviceToken: credentials.device_token,
        caller: c.get("caller"),
        remoteAddress,
      });
      return c.json(challenge, 202);
    }
    const { challenge_id, auth_data } = credentials;
    if (isCode(auth_data)) {
      const tokens = await signInByCode(ctx, {
        challengeId: challenge_id,
        code: auth_data.code,
        caller: c.get("caller"),
        hasInvalidToken: c.get("hasInvalidToken"),
        userAgent,
        remoteAddress,
      });
      return c.json(tokens, 200);
    }
    // `finishPasskeySignIn` passes it to SimpleWebAuthn, which validates every property.
    const response = auth_data as unknown as AuthenticationResponseJSON;
    const caller = c.get("caller");
    const request = { challengeId: challenge_id, response, caller, userAgent, remoteAddress };
    const tokens = await finishPasskeySignIn(ctx, request);
    return c.json(tokens, 200);
  });

  app.openapi(refreshRoute, async (c) => c.json(await refreshSession(ctx, c.req.valid("json").refresh_token), 200));

  app.openapi(logoutRoute, async (c) => {
    await endOwnSession(ctx, requireCaller(c));
    return c.body(null, 204);
  });

  app.openapi(loginOptionsRoute, async (c) => {
    return c.json(await startPasskeySignInFor(ctx, c.req.valid("json").identifier), 200);
  });

  app.openapi(registerRoute, async (c) => {
    const { identifier } = c.req.valid("json");
    return c.json(
      await startRegistration(ctx, identifier, { caller: c.get("caller"), hasInvalidToken: c.get("hasInvalidToken") }),
      200,
    );
  });

  app.openapi(registerVerifyRoute, async (c) => {
    const { identifier, challenge_id, attestation } = c.req.valid("json");
    const tokens = await finishRegistration(ctx, {
      identifier,
      challengeId: challenge_id,
      attestation: attestation as unknown as RegistrationResponseJSON,
      caller: c.get("caller"),
      hasInvalidToken: c.get("hasInvalidToken"),
      userAgent: c.req.header("User-Agent") ?? null,
      remoteAddress: c.env?.remoteAddress,
    });
    return c.json(tokens, 200);
  });

  return app;
}

function isCode(authData: object): authData is { code: string } {
  return "code" in authData && typeof authData.code === "string" && !("id" in authData);
}

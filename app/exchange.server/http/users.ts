import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import {
  mailPreferencesChangeSchema,
  mailPreferencesSchema,
  pageQuerySchema,
  pageSchema,
  passkeyRenameSchema,
  passkeySchema,
  sessionSchema,
  userSchema,
} from "../../api/contract";
import { toUser } from "../accounts/caller";
import { endSession, revokeOtherSessions } from "../accounts/end-sessions";
import { changeMailPreferences, toMailPreferences } from "../accounts/mail-preferences";
import { listPasskeys, removePasskey, renamePasskey, toPasskey } from "../accounts/passkeys";
import { listSessions, toSession } from "../accounts/sessions";
import type { ExchangeContext } from "../context";
import { toPage, toPageRequest } from "../db/pages";
import type { Env } from "./env";
import { requireCaller, requirePasskey } from "./require-caller";
import { createRouter, json, refusals } from "./router";

const tags = ["user"];
const credentialParam = z.object({ id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "an id from one of our responses") });

const meRoute = createRoute({
  method: "get",
  path: "/api/users/me",
  tags,
  summary: "Get the signed-in user",
  responses: { 200: { description: "The user", content: json(userSchema) }, ...refusals(401, 403) },
});

const listPasskeysRoute = createRoute({
  method: "get",
  path: "/api/users/me/passkeys",
  tags,
  summary: "List your passkeys",
  request: { query: pageQuerySchema },
  responses: {
    200: { description: "Newest first", content: json(pageSchema(passkeySchema)) },
    ...refusals(401, 403, 422),
  },
});

const renamePasskeyRoute = createRoute({
  method: "patch",
  path: "/api/users/me/passkeys/{id}",
  tags,
  summary: "Rename one of your passkeys",
  request: { params: credentialParam, body: { required: true, content: json(passkeyRenameSchema) } },
  responses: {
    200: { description: "The passkey", content: json(passkeySchema) },
    ...refusals(401, 403, 404, 422),
  },
});

const removePasskeyRoute = createRoute({
  method: "delete",
  path: "/api/users/me/passkeys/{id}",
  tags,
  summary: "Remove one of your passkeys",
  request: { params: credentialParam },
  responses: { 204: { description: "Removed" }, ...refusals(401, 403, 404, 409, 422) },
});

const listSessionsRoute = createRoute({
  method: "get",
  path: "/api/users/me/sessions",
  tags,
  summary: "List your sessions",
  request: { query: pageQuerySchema },
  responses: {
    200: { description: "Newest first", content: json(pageSchema(sessionSchema)) },
    ...refusals(401, 403, 422),
  },
});

const endSessionRoute = createRoute({
  method: "delete",
  path: "/api/users/me/sessions/{id}",
  tags,
  summary: "End one of your sessions",
  description: "Without a recently verified passkey, only this session, or one that began earlier and is not stronger",
  request: { params: credentialParam },
  responses: { 204: { description: "Ended" }, ...refusals(401, 403, 404, 422) },
});

const endOtherSessionsRoute = createRoute({
  method: "delete",
  path: "/api/users/me/sessions",
  tags,
  summary: "End all your sessions except this one",
  description: "Without a recently verified passkey, only those that began earlier and are not stronger",
  responses: { 204: { description: "Ended" }, ...refusals(401, 403) },
});

const readMailPreferencesRoute = createRoute({
  method: "get",
  path: "/api/users/me/mail-preferences",
  tags,
  summary: "See which e-mails about swaps you get",
  responses: { 200: { description: "Each e-mail", content: json(mailPreferencesSchema) }, ...refusals(401, 403) },
});

const changeMailPreferencesRoute = createRoute({
  method: "patch",
  path: "/api/users/me/mail-preferences",
  tags,
  summary: "Turn e-mails about swaps on or off; those that you do not name stay as they are",
  request: { body: { required: true, content: json(mailPreferencesChangeSchema) } },
  responses: {
    200: { description: "Each e-mail", content: json(mailPreferencesSchema) },
    ...refusals(401, 403, 422),
  },
});

/** The signed-in user (C02), their passkeys and sessions, and the e-mails they get. */
export function userRoutes(ctx: ExchangeContext): OpenAPIHono<Env> {
  const app = createRouter();

  app.openapi(meRoute, (c) => c.json(toUser(requireCaller(c)), 200));

  app.openapi(listPasskeysRoute, async (c) => {
    const page = toPageRequest(c.req.valid("query"));
    const { rows, next } = toPage(await listPasskeys(ctx, requireCaller(c), page), page.limit);
    const now = await ctx.clock.now(ctx.db);
    return c.json({ items: rows.map((row) => toPasskey(row, now)), next }, 200);
  });

  app.openapi(renamePasskeyRoute, async (c) => {
    const row = await renamePasskey(ctx, requirePasskey(c), c.req.valid("param").id, c.req.valid("json").name);
    return c.json(toPasskey(row, await ctx.clock.now(ctx.db)), 200);
  });

  app.openapi(removePasskeyRoute, async (c) => {
    await removePasskey(ctx, requireCaller(c), c.req.valid("param").id);
    return c.body(null, 204);
  });

  app.openapi(listSessionsRoute, async (c) => {
    const caller = requireCaller(c);
    const page = toPageRequest(c.req.valid("query"));
    const { rows, next } = toPage(await listSessions(ctx, caller, page), page.limit);
    return c.json({ items: rows.map((row) => toSession(row, caller)), next }, 200);
  });

  app.openapi(endSessionRoute, async (c) => {
    await endSession(ctx, requireCaller(c), c.req.valid("param").id);
    return c.body(null, 204);
  });

  app.openapi(endOtherSessionsRoute, async (c) => {
    await revokeOtherSessions(ctx, requireCaller(c));
    return c.body(null, 204);
  });

  app.openapi(readMailPreferencesRoute, (c) => c.json(toMailPreferences(requirePasskey(c).mutedMails), 200));

  app.openapi(changeMailPreferencesRoute, async (c) => {
    return c.json(await changeMailPreferences(ctx, requirePasskey(c), c.req.valid("json")), 200);
  });

  return app;
}

import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import {
  pageQuerySchema,
  pageSchema,
  passkeyRenameSchema,
  passkeySchema,
  sessionSchema,
  userSchema,
} from "../../api/contract";
import { getUser } from "../accounts/accounts";
import { listPasskeys, removePasskey, renamePasskey, toPasskey } from "../accounts/passkeys";
import { endSession, listSessions, revokeSessionsOf, toSession } from "../accounts/sessions";
import type { ExchangeContext } from "../context";
import { type Env, requireCaller, requirePasskey } from "./env";
import { parseCursor, toPage } from "./pages";
import { createRouter, json, refusals } from "./router";

const tags = ["user"];
const idParam = z.object({ id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "an id that we gave") });

const meRoute = createRoute({
  method: "get",
  path: "/api/users/me",
  tags,
  summary: "Who is signed in",
  responses: { 200: { description: "The user", content: json(userSchema) }, ...refusals(401, 403, 429, 503) },
});

const listPasskeysRoute = createRoute({
  method: "get",
  path: "/api/users/me/passkeys",
  tags,
  summary: "My passkeys",
  request: { query: pageQuerySchema },
  responses: {
    200: { description: "Newest first", content: json(pageSchema(passkeySchema)) },
    ...refusals(401, 403, 422, 429, 503),
  },
});

const renamePasskeyRoute = createRoute({
  method: "patch",
  path: "/api/users/me/passkeys/{id}",
  tags,
  summary: "Name one of my passkeys",
  request: { params: idParam, body: { required: true, content: json(passkeyRenameSchema) } },
  responses: {
    200: { description: "The passkey", content: json(passkeySchema) },
    ...refusals(400, 401, 403, 404, 422, 429, 503),
  },
});

const removePasskeyRoute = createRoute({
  method: "delete",
  path: "/api/users/me/passkeys/{id}",
  tags,
  summary: "Remove one of my passkeys",
  request: { params: idParam },
  responses: { 204: { description: "Removed" }, ...refusals(401, 403, 404, 409, 429, 503) },
});

const listSessionsRoute = createRoute({
  method: "get",
  path: "/api/users/me/sessions",
  tags,
  summary: "Where I am signed in",
  request: { query: pageQuerySchema },
  responses: {
    200: { description: "Newest first", content: json(pageSchema(sessionSchema)) },
    ...refusals(401, 403, 422, 429, 503),
  },
});

const endSessionRoute = createRoute({
  method: "delete",
  path: "/api/users/me/sessions/{id}",
  tags,
  summary: "End one of my sessions",
  request: { params: idParam },
  responses: { 204: { description: "Ended" }, ...refusals(401, 403, 404, 429, 503) },
});

const endOtherSessionsRoute = createRoute({
  method: "delete",
  path: "/api/users/me/sessions",
  tags,
  summary: "End all my sessions but this one",
  responses: { 204: { description: "Ended" }, ...refusals(401, 403, 429, 503) },
});

/** C02, and what is signed in as me. */
export function userRoutes(x: ExchangeContext): OpenAPIHono<Env> {
  const app = createRouter();

  app.openapi(meRoute, async (c) => c.json(await getUser(x.db, requireCaller(c)), 200));

  app.openapi(listPasskeysRoute, async (c) => {
    const { limit, cursor } = c.req.valid("query");
    const rows = await listPasskeys(x, requireCaller(c), limit, cursor ? parseCursor(cursor) : null);
    return c.json(
      toPage(rows, limit, toPasskey, (row) => ({ at: row.createdAt, id: row.id })),
      200,
    );
  });

  app.openapi(renamePasskeyRoute, async (c) => {
    const row = await renamePasskey(x, requirePasskey(c), c.req.valid("param").id, c.req.valid("json").name);
    return c.json(toPasskey(row), 200);
  });

  app.openapi(removePasskeyRoute, async (c) => {
    await removePasskey(x, requireCaller(c), c.req.valid("param").id);
    return c.body(null, 204);
  });

  app.openapi(listSessionsRoute, async (c) => {
    const caller = requireCaller(c);
    const { limit, cursor } = c.req.valid("query");
    const rows = await listSessions(x, caller, limit, cursor ? parseCursor(cursor) : null);
    return c.json(
      toPage(
        rows,
        limit,
        (row) => toSession(row, caller),
        (row) => ({ at: row.createdAt, id: row.id }),
      ),
      200,
    );
  });

  app.openapi(endSessionRoute, async (c) => {
    await endSession(x, requireCaller(c), c.req.valid("param").id);
    return c.body(null, 204);
  });

  app.openapi(endOtherSessionsRoute, async (c) => {
    const caller = requireCaller(c);
    await x.db.transaction(async (tx) => {
      await revokeSessionsOf(tx, caller.accountId, await x.clock.now(tx), { except: caller.sessionId });
    });
    return c.body(null, 204);
  });

  return app;
}

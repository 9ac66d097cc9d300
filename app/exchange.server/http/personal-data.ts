import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import {
  consentRequestSchema,
  consentsSchema,
  deletionBlockerSchema,
  deletionRequestSchema,
  deletionSchema,
  errorSchema,
} from "../../api/contract";
import type { ExchangeContext } from "../context";
import { listConsents, recordConsents } from "../personal-data/consents";
import { deleteAccount, previewDeletion } from "../personal-data/delete-account";
import { exportPersonalData } from "../personal-data/export-zip";
import type { Env } from "./env";
import { requirePasskey } from "./require-caller";
import { createRouter, json, refusals } from "./router";

const tags = ["user"];

const exportRoute = createRoute({
  method: "get",
  path: "/api/users/me/export",
  tags,
  summary: "Download everything we keep about you; needs a recently verified passkey",
  responses: {
    200: {
      description: "A zip with JSON and CSV files",
      content: { "application/zip": { schema: z.string().openapi({ format: "binary" }) } },
    },
    ...refusals(401, 403),
    409: {
      description: "The account was recovered recently; `until` is when it can be downloaded",
      content: json(errorSchema.extend({ until: z.string().datetime() })),
    },
  },
});

const previewRoute = createRoute({
  method: "get",
  path: "/api/users/me/deletion",
  tags,
  summary: "See what deleting your account would do, and what prevents it",
  responses: { 200: { description: "The consequences", content: json(deletionSchema) }, ...refusals(401, 403) },
});

const deleteRoute = createRoute({
  method: "post",
  path: "/api/users/me/deletion",
  tags,
  summary: "Delete your account permanently; needs a recently verified passkey, or an e-mail code",
  request: { body: { required: true, content: json(deletionRequestSchema) } },
  responses: {
    204: { description: "Deleted" },
    ...refusals(401, 403, 422),
    409: {
      description: "A swap is open, money is on its way, or the account was recovered recently",
      content: json(errorSchema.extend({ obstacles: z.array(deletionBlockerSchema).optional() })),
    },
  },
});

const listConsentsRoute = createRoute({
  method: "get",
  path: "/api/users/me/consents",
  tags,
  summary: "List the versions of the terms and the privacy notice that you have accepted",
  responses: { 200: { description: "Newest first", content: json(consentsSchema) }, ...refusals(401, 403) },
});

const recordConsentsRoute = createRoute({
  method: "post",
  path: "/api/users/me/consents",
  tags,
  summary: "Record that you accept a version of the terms or the privacy notice",
  request: { body: { required: true, content: json(consentRequestSchema) } },
  responses: {
    200: { description: "What you have accepted, newest first", content: json(consentsSchema) },
    ...refusals(401, 403, 422),
  },
});

/** What the caller may ask for under data protection law. */
export function personalDataRoutes(ctx: ExchangeContext): OpenAPIHono<Env> {
  const app = createRouter();

  app.openapi(exportRoute, async (c) => {
    const caller = requirePasskey(c);
    const headers = {
      "Content-Type": "application/zip",
      "Content-Disposition": 'attachment; filename="antelope-data.zip"',
    };
    // Nothing is downloaded, so nothing is counted, and the owner gets no e-mail.
    if (c.req.method === "HEAD") return c.body(null, 200, headers);
    return c.body(await exportPersonalData(ctx, caller), 200, headers);
  });

  app.openapi(previewRoute, async (c) => c.json(await previewDeletion(ctx, requirePasskey(c)), 200));

  app.openapi(deleteRoute, async (c) => {
    await deleteAccount(ctx, requirePasskey(c), c.req.valid("json"), c.env?.remoteAddress);
    return c.body(null, 204);
  });

  app.openapi(listConsentsRoute, async (c) => c.json(await listConsents(ctx, requirePasskey(c)), 200));

  app.openapi(recordConsentsRoute, async (c) => {
    return c.json(await recordConsents(ctx, requirePasskey(c), c.req.valid("json")), 200);
  });

  return app;
}

import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import type { ExchangeContext } from "../context";
import { exportPersonalData } from "../personal-data/export";
import type { Env } from "./env";
import { requirePasskey } from "./require-caller";
import { createRouter, refusals } from "./router";

const tags = ["user"];

const exportRoute = createRoute({
  method: "get",
  path: "/api/users/me/export",
  tags,
  summary: "Download everything we keep about you; needs a passkey verified in the last minutes",
  responses: {
    200: {
      description: "A zip with JSON and CSV files",
      content: { "application/zip": { schema: z.string().openapi({ format: "binary" }) } },
    },
    ...refusals(401, 403),
  },
});

/** What the caller may ask for under data protection law. */
export function personalDataRoutes(ctx: ExchangeContext): OpenAPIHono<Env> {
  const app = createRouter();

  app.openapi(exportRoute, async (c) => {
    const zip = await exportPersonalData(ctx, requirePasskey(c));
    return c.body(zip, 200, {
      "Content-Type": "application/zip",
      "Content-Disposition": 'attachment; filename="antelope-data.zip"',
    });
  });

  return app;
}

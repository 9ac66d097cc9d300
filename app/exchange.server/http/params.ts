import { z } from "@hono/zod-openapi";
import { quoteIdText } from "../../api/contract";

/** The id in the path of an order, an address or a price alert. */
export const idParam = z.object({ id: z.string().min(1).max(64) });

/** `quoteIdText`, described as an integer in the OpenAPI document. */
export const quoteIdParam = quoteIdText.openapi({ type: "integer" });

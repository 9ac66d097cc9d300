import "@hono/zod-openapi";
import { quoteIdText } from "../../api/contract";

/** `quoteIdText`, described as an integer in the OpenAPI document. */
export const quoteIdParam = quoteIdText.openapi({ type: "integer" });

import { z } from "@hono/zod-openapi";

/** A quote id in a path or query: an integer below 2^53. */
export const quoteIdText = z
  .string()
  .regex(/^[1-9][0-9]{0,15}$/)
  .transform(Number)
  .refine(Number.isSafeInteger)
  .openapi({ type: "integer" });

import { z } from "@hono/zod-openapi";

/** A quote's id as it stands in an address: an integer below 2^53. */
export const quoteIdText = z
  .string()
  .regex(/^[1-9][0-9]{0,15}$/)
  .transform(Number)
  .refine(Number.isSafeInteger)
  .openapi({ type: "integer" });

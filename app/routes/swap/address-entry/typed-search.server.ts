import { z } from "zod";
import type { Side } from "~/lib/price";

/** What the visitor has entered so far, carried in search params and forms while they add an address. */
export type TypedSwap = { side: Side; text: string; delivery: string | null; refund: string | null };

/** Reads the page's search params. `amount` is a plain decimal, whatever the visitor's language. */
export function readTypedSearch(params: URLSearchParams): TypedSwap & { added: string | null } {
  return {
    side: params.get("side") === "target" ? "target" : "source",
    text: (params.get("amount") ?? "").slice(0, 40),
    delivery: addressId.parse(params.get("delivery")),
    refund: addressId.parse(params.get("refund")),
    added: addressId.parse(params.get("added")),
  };
}

/** The ID of a saved address. Anything else counts as none. */
export const addressId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/)
  .nullable()
  .catch(null);

import { describe, expect, it } from "vitest";
import type { z } from "zod";
import {
  decisionRequestSchema,
  kycApplicationSchema,
  orderFilterSchema,
  pageSchema,
  passkeyRenameSchema,
  priceAlertRequestSchema,
  quoteRequestSchema,
  supportMessageSchema,
} from "~/api/contract";

/** Field → message of what a schema refuses, or null if it accepts the value. */
function refusalsOf(schema: z.ZodTypeAny, value: unknown) {
  const parsed = schema.safeParse(value);
  if (parsed.success) return null;
  return Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.join("."), message]));
}

const symbols = { source_asset_symbol: "USDT", target_asset_symbol: "MOB" };

describe("what the API accepts", () => {
  it("a quote request has exactly one amount", () => {
    const one = "Give either source_amount or target_amount.";
    expect(refusalsOf(quoteRequestSchema, { ...symbols, source_amount: "10" })).toBeNull();
    expect(refusalsOf(quoteRequestSchema, { ...symbols, target_amount: "10" })).toBeNull();
    expect(refusalsOf(quoteRequestSchema, symbols)).toEqual({ source_amount: one });
    const both = { ...symbols, source_amount: "10", target_amount: "10" };
    expect(refusalsOf(quoteRequestSchema, both)).toEqual({ source_amount: one });
  });

  it("a quote request has two different assets", () => {
    const same = { source_asset_symbol: "MOB", target_asset_symbol: "MOB", source_amount: "10" };
    expect(refusalsOf(quoteRequestSchema, same)).toEqual({ target_asset_symbol: "Choose two different assets." });
  });

  it.each(["", "-1", "+1", "1e3", "01", ".5", "1.", "1,5", "1.0000000000001", "1234567890123456", "0x10", " 1", "NaN"])(
    "a quote request refuses the amount %j",
    (source_amount) => {
      expect(refusalsOf(quoteRequestSchema, { ...symbols, source_amount })).toEqual({
        source_amount: "an amount such as 250 or 250.5",
      });
    },
  );

  it("a name has visible characters", () => {
    expect(passkeyRenameSchema.parse({ name: " My\u0007phone\u202e " })).toEqual({ name: "My phone" });
    for (const name of ["", "  ", "\u200b\u202e", "\u3164", "\u034f"])
      expect(refusalsOf(passkeyRenameSchema, { name })).toEqual({ name: "1 to 60 visible characters" });
  });

  it("a message to support has visible characters", () => {
    expect(supportMessageSchema.parse({ message: " a\u0000b\r\n\n\n\nc " })).toEqual({ message: "a b\n\nc" });
    for (const message of ["\u200b\n", "\u3164\n\u2800"])
      expect(refusalsOf(supportMessageSchema, { message })).toEqual({ message: "1 to 4,000 visible characters" });
  });

  it("an application for KYC does not accept unknown fields", () => {
    expect(kycApplicationSchema.safeParse({ status: "approved" }).error?.issues).toContainEqual(
      expect.objectContaining({ code: "unrecognized_keys", keys: ["status"] }),
    );
  });

  it("a price alert has a rate above 0", () => {
    expect(refusalsOf(priceAlertRequestSchema, { direction: "above", rate: "0.1" })).toBeNull();
    expect(refusalsOf(priceAlertRequestSchema, { direction: "above", rate: "0.0" })).toEqual({ rate: "more than 0" });
    expect(refusalsOf(priceAlertRequestSchema, { direction: "above", rate: "1" })).toBeNull();
  });

  it("a decision names a quote by an id below 2^53, which the database can store", () => {
    const refused = (quote_id: number) => refusalsOf(decisionRequestSchema, { choice: "requote", quote_id });
    expect(refused(Number.MAX_SAFE_INTEGER)).toBeNull();
    for (const id of [2 ** 53, 1e21, 1e300, 0, 1.5]) expect(Object.keys(refused(id) ?? {})).toEqual(["quote_id"]);
  });

  it("a list of orders starts in 1970 or later", () => {
    const refused = { created_from: "a time after 1970, such as 2026-01-31T00:00:00Z" };
    expect(refusalsOf(orderFilterSchema, { created_from: "1970-01-01T00:00:00Z" })).toBeNull();
    expect(refusalsOf(orderFilterSchema, { created_from: "1969-12-31T23:59:59Z" })).toEqual(refused);
  });

  it("a page has a list and the cursor of the next one", () => {
    const page = pageSchema(passkeyRenameSchema);
    expect(page.safeParse({ items: [{ name: "a" }], next: null }).success).toBe(true);
    for (const wrong of [{ items: [] }, { next: null }, { items: [{}], next: null }, { items: [], next: 7 }])
      expect(page.safeParse(wrong).success).toBe(false);
  });
});

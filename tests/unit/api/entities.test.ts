import { describe, expect, it } from "vitest";
import type { z } from "zod";
import {
  assetSchema,
  challengeSchema,
  deliveryAddressSchema,
  kycSchema,
  orderSchema,
  passkeyOptionsSchema,
  quoteSchema,
  userSchema,
} from "~/api/contract";
import { pendingChallengeSchema, siteSessionSchema } from "~/session/cookies.server";
import { makeCompletedOrder } from "../../support/orders";
import { makeQuote } from "../../support/quotes";
import { makeUser } from "../../support/site";

const { incoming_txs, outgoing_txs } = makeCompletedOrder();
const quote = makeQuote({ id: 7 });
const asset = { symbol: "USDT", name: "Tether", network: "ethereum", decimals: 6 };
const address = { id: "a", type: "MOB", address: "x", label: "", created_at: "2026-01-01T00:00:00.000Z" };

/** The required members: the schema accepts neither a missing one nor `wrong` in its place. */
function findRequired(schema: z.ZodTypeAny, value: Record<string, unknown>, wrong: unknown): string[] {
  expect(schema.safeParse(value).success).toBe(true);
  return Object.keys(value).filter((name) => {
    const { [name]: _, ...rest } = value;
    return !schema.safeParse(rest).success && !schema.safeParse({ ...value, [name]: wrong }).success;
  });
}

const wrong = { neither: "text", nor: "number" };

describe("the entities", () => {
  it("D01 a user has created_at (a date), is_active (a boolean) and kyc_status", () => {
    const user = makeUser();
    expect(findRequired(userSchema, user, wrong)).toEqual(
      expect.arrayContaining(["created_at", "is_active", "kyc_status"]),
    );
    for (const change of [{ created_at: "yesterday" }, { is_active: "true" }, { kyc_status: "maybe" }])
      expect(userSchema.safeParse({ ...user, ...change }).success).toBe(false);
  });

  it("D02 an asset has a symbol, USDT or MOB", () => {
    expect(findRequired(assetSchema, asset, wrong)).toContain("symbol");
    expect(assetSchema.safeParse({ ...asset, symbol: "BTC" }).success).toBe(false);
  });

  it("D03 a quote has a number as its id, strings, and locked_at as a string or null", () => {
    const { status: _, ...fields } = quote;
    expect(findRequired(quoteSchema, quote, wrong)).toEqual(expect.arrayContaining(Object.keys(fields)));
    for (const id of ["7", 7.5, 0]) expect(quoteSchema.safeParse({ ...quote, id }).success).toBe(false);
    expect(quoteSchema.safeParse({ ...quote, locked_at: quote.created_at }).success).toBe(true);
    for (const name of Object.keys(fields).filter((field) => field !== "id" && field !== "locked_at"))
      expect([name, quoteSchema.safeParse({ ...quote, [name]: null }).success]).toEqual([name, false]);
  });

  it("D04 an order has a status, incoming_txs and outgoing_txs, each with a status and an amount", () => {
    const order = { ...makeCompletedOrder(), quote_id: 7 };
    expect(findRequired(orderSchema, order, wrong)).toEqual(
      expect.arrayContaining(["status", "incoming_txs", "outgoing_txs"]),
    );
    expect(orderSchema.safeParse({ ...order, status: "paid" }).success).toBe(false);
    for (const [list, [tx]] of Object.entries({ incoming_txs, outgoing_txs })) {
      const changed = (change: object) => orderSchema.safeParse({ ...order, [list]: [{ ...tx, ...change }] }).success;
      expect([changed({}), changed({ status: "paid" }), changed({ amount: 100 })]).toEqual([true, false, false]);
      for (const name of ["status", "amount"] as const) {
        const broken = { ...order, [list]: [{ ...tx, [name]: undefined }] };
        expect([list, name, orderSchema.safeParse(broken).success]).toEqual([list, name, false]);
      }
    }
  });

  it("D05 a session has an access token, a refresh token and the passkey flag", () => {
    const session = { access: "a", refresh: "r", passkey: true };
    expect(findRequired(siteSessionSchema, session, wrong)).toEqual(["access", "refresh", "passkey"]);
    expect(siteSessionSchema.safeParse({ ...session, refresh: null }).success).toBe(true);
    expect(siteSessionSchema.safeParse({ ...session, access: "" }).success).toBe(false);
  });

  it("D06 a challenge has challenge_id and challenge, and passkey options have a challenge_id", () => {
    expect(findRequired(challengeSchema, { challenge_id: "c", challenge: "email" }, 1)).toEqual([
      "challenge_id",
      "challenge",
    ]);
    expect(findRequired(passkeyOptionsSchema, { challenge_id: "c", options: {} }, 1)).toEqual([
      "challenge_id",
      "options",
    ]);
    expect(pendingChallengeSchema.safeParse({ identifier: "ada@example.org" }).success).toBe(false);
  });

  it("D07 a delivery address is of type MOB or ETH", () => {
    expect(findRequired(deliveryAddressSchema, address, wrong)).toContain("type");
    for (const type of ["MOB", "ETH", "mob", "USDT"])
      expect(deliveryAddressSchema.safeParse({ ...address, type }).success).toBe(type === "MOB" || type === "ETH");
  });

  it("D08 the KYC states are not_started, pending, approved, rejected and action_required", () => {
    const states = ["not_started", "pending", "approved", "rejected", "action_required", "verified", ""];
    const known = states.filter((status) => kycSchema.safeParse({ status, reasons: [], updated_at: null }).success);
    expect(known).toEqual(["not_started", "pending", "approved", "rejected", "action_required"]);
  });
});

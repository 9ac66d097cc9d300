import { describe, expect, it } from "vitest";
import { deliveryAddressRequestSchema, kycApplicationSchema, passkeyRenameSchema } from "~/api/contract";
import { toLines, toOneLine } from "~/lib/one-line";

describe("toOneLine", () => {
  it.each([
    ["My Signal", "My Signal"],
    ["  two\r\nlines\tand \u2028 more ", "two lines and more"],
    ["gro.elpmaxe\u202e\u2066 evil", "gro.elpmaxe evil"],
    ["ad\u200bmin\ufeff\u00ad", "admin"],
    ["\u200e\u061cname\u0000\u009b", "name"],
    ["\ud83e half a pair", "half a pair"],
    ["李 Ægir O’Neil é", "李 Ægir O’Neil é"],
    ["می\u200cخواهم", "می\u200cخواهم"],
    ["👩\u200d💻 laptop", "👩\u200d💻 laptop"],
    ["\u202e\u200b", ""],
    ["\u200d", ""],
    ["\u3164 \uffa0", ""],
    ["\u115f\u1160", ""],
    ["\u034f", ""],
    ["\u2800", ""],
    ["❤\ufe0f", "❤\ufe0f"],
  ])("turns %j into %j", (typed, shown) => {
    expect(toOneLine(typed)).toBe(shown);
    expect(toOneLine(shown)).toBe(shown);
  });

  it("T49 is applied to labels, passkey names and people's names when they are submitted", () => {
    const label = (text?: string) =>
      deliveryAddressRequestSchema.parse({ type: "ETH", address: "0x1", label: text }).label;
    expect(label("My\u202e wallet\n")).toBe("My wallet");
    expect(label()).toBe("");
    expect(label("\u3164")).toBe("");
    expect(deliveryAddressRequestSchema.safeParse({ type: "ETH", address: "0x1", label: "a".repeat(61) }).success).toBe(
      false,
    );
    expect(passkeyRenameSchema.parse({ name: "pho\u200bne" })).toEqual({ name: "phone" });
    const refused = passkeyRenameSchema.safeParse({ name: "\u202e\u200b" });
    expect(refused.error?.issues[0]?.message).toMatch(/1 to 60 visible characters/);
    const application = {
      first_name: "A\nda",
      last_name: "\u202eLovelace",
      date_of_birth: "1990-04-30",
      country: "GB",
      document_type: "passport",
      document_number: "AB 123",
    };
    expect(kycApplicationSchema.parse(application)).toMatchObject({ first_name: "A da", last_name: "Lovelace" });
    for (const first_name of ["\u2066", "\u3164", "\u115f\u1160", "\u034f"])
      expect(kycApplicationSchema.safeParse({ ...application, first_name }).success).toBe(false);
  });
});

describe("toLines", () => {
  it("keeps lines, with at most one empty one between them", () => {
    expect(toLines("\n a\u0000b\r\nc\rd\n\n\n\ne\n ")).toBe("a b\nc\nd\n\ne");
  });
});

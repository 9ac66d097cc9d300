import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toPage, toPageRequest } from "~/exchange.server/db/pages";
import { checkStrictJson } from "~/exchange.server/http/strict-json";
import { toClientNetwork } from "~/lib/client-network";

describe("strict JSON", () => {
  it("T13 accepts everything that JSON.stringify writes for values with harmless keys", () => {
    const key = fc.string().filter((k) => !["__proto__", "constructor", "prototype"].includes(k) && !k.includes("\0"));
    const leaf = fc.oneof(
      fc.string().filter((s) => !s.includes("\0") && !s.includes("\\u0000")),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(key, tie("value"), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2), (data, indent) => {
        expect(() => checkStrictJson(JSON.stringify(data, null, indent))).not.toThrow();
      }),
    );
  });

  it("T13 refuses a repeated key at any depth, and accepts the same key in two objects", () => {
    for (const text of ['{"a":1,"a":2}', '[{"b":{"a":1,"c":[],"a":2}}]', '{"a" :1, "\\u0061"\n: 2}']) {
      expect(() => checkStrictJson(text), text).toThrow("twice");
    }
    expect(() => checkStrictJson('[{"a":{"a":1}},{"a":"a"}]')).not.toThrow();
  });

  it.each([
    ["in a list", (count: number) => JSON.stringify(Array.from({ length: count - 1 }, () => 0))],
    [
      "in an object",
      (count: number) =>
        JSON.stringify(Object.fromEntries(Array.from(new Array(count - 1).keys(), (n) => [`k${n}`, n]))),
    ],
    ["in each other", (count: number) => "[".repeat(count - 1) + "]".repeat(count - 1)],
  ])("T14 accepts 500 values %s, and refuses more", (_name, write) => {
    expect(() => checkStrictJson(write(500))).not.toThrow();
    expect(() => checkStrictJson(write(501))).toThrow("too many values");
  });

  it("T14 does not count commas and brackets in strings", () => {
    expect(() => checkStrictJson(JSON.stringify({ message: ",[{".repeat(500) }))).not.toThrow();
  });
});

describe("the network that rate limits count by", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["::ffff:c000:207", "192.0.2.7"],
    ["2001:db8:1:203:4:5:6:7", "2001:db8:1:200::/56"],
    ["2001:0DB8:1:2ff::1", "2001:db8:1:200::/56"],
    ["2001:db8:1:300::1", "2001:db8:1:300::/56"],
    ["2001:db8::1", "2001:db8:0:0::/56"],
    ["::1", "0:0:0:0::/56"],
    ["fe80::1%eth0", "fe80:0:0:0::/56"],
    ["unknown", "unknown"],
  ])("counts %s as %s", (address, network) => {
    expect(toClientNetwork(address)).toBe(network);
  });
});

describe("pages", () => {
  const rows = [5, 4, 3].map((n) => ({ createdAt: new Date(n), id: `id-${n}` }));

  it("return a cursor for the next page, and none after the last", () => {
    const first = toPage(rows, 2);
    expect(first.rows.map(({ id }) => id)).toEqual(["id-5", "id-4"]);
    const next = toPageRequest({ limit: 2, cursor: first.next ?? undefined });
    expect(next).toEqual({ limit: 2, cursor: { at: new Date(4), id: "id-4" } });
    expect(toPage(rows, 3).next).toBeNull();
  });

  it("refuse a cursor we did not issue", () => {
    const injection = Buffer.from("1.a'b").toString("base64url");
    const invalid = expect.objectContaining({ code: "invalid", fields: { cursor: expect.any(String) } });
    for (const cursor of ["x", injection, "a".repeat(200)]) {
      expect(() => toPageRequest({ limit: 2, cursor })).toThrow(invalid);
    }
  });

  it("start at the first page without a cursor", () => {
    for (const cursor of [undefined, ""]) expect(toPageRequest({ limit: 2, cursor }).cursor).toBeNull();
  });
});

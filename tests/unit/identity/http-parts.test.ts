import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatCursor, parseCursor, toPage } from "../../../app/exchange.server/http/pages";
import { toNetwork } from "../../../app/exchange.server/http/rate-limits";
import { checkStrictJson } from "../../../app/exchange.server/http/strict-json";

describe("strict JSON", () => {
  it("T13 takes every text that JSON.stringify writes of values with harmless keys", () => {
    const key = fc.string().filter((k) => !["__proto__", "constructor", "prototype"].includes(k) && !k.includes("\0"));
    const leaf = fc.oneof(
      fc.string().filter((s) => !s.includes("\0") && !s.includes("\\u0000")),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie("value")), fc.dictionary(key, tie("value"))),
    }));
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2), (data, indent) => {
        expect(() => checkStrictJson(JSON.stringify(data, null, indent))).not.toThrow();
      }),
    );
  });

  it("T13 refuses a key twice wherever it stands, and lets the same key stand in two objects", () => {
    for (const text of ['{"a":1,"a":2}', '[{"b":{"a":1,"c":[],"a":2}}]', '{"a" :1, "\\u0061"\n: 2}']) {
      expect(() => checkStrictJson(text), text).toThrow("twice");
    }
    expect(() => checkStrictJson('[{"a":{"a":1}},{"a":"a"}]')).not.toThrow();
  });

  it("T14 64 KiB of brackets are read without trouble", () => {
    expect(() => checkStrictJson("[".repeat(32_000) + "]".repeat(32_000))).not.toThrow();
  });
});

describe("whom a network address belongs to", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:1:2::1", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ])("%s is counted as %s", (address, network) => {
    expect(toNetwork(address)).toBe(network);
  });
});

describe("pages", () => {
  const rows = [5, 4, 3].map((n) => ({ at: new Date(n), id: `id-${n}` }));

  it("tell where to go on, and that there is no more", () => {
    const first = toPage(
      rows,
      2,
      ({ id }) => id,
      (row) => row,
    );
    expect(first.items).toEqual(["id-5", "id-4"]);
    expect(parseCursor(first.next ?? "")).toEqual({ at: new Date(4), id: "id-4" });
    expect(
      toPage(
        rows,
        3,
        ({ id }) => id,
        (row) => row,
      ).next,
    ).toBeNull();
  });

  it("refuse a cursor that nobody gave", () => {
    for (const text of ["", "x", formatCursor({ at: new Date(1), id: "a'b" }), "a".repeat(200)]) {
      expect(() => parseCursor(text)).toThrow();
    }
  });
});

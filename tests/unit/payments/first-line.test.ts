import { describe, expect, it } from "vitest";
import { toFirstLine } from "~/exchange.server/describe-error";

describe("what an operator reads of an error", () => {
  it("is the first line of the error, because the others may name a node's URL", () => {
    const error = new Error("HTTP request failed.\n\nURL: https://node.example/v2/a-key");
    expect(toFirstLine(error)).toBe("HTTP request failed.");
  });

  it("is no longer than 200 characters", () => {
    expect(toFirstLine(new Error("a\u001b[2K\rb\u009b2K"))).toBe("a [2K b 2K");
    expect(toFirstLine(new Error(`${"a".repeat(200)}b`))).toBe("a".repeat(200));
  });

  it("is unknown if what was thrown is not an error", () => {
    expect(toFirstLine({ message: "not an error" })).toBe("unknown");
  });
});

import { describe, expect, it } from "vitest";
import { toCause } from "~/exchange.server/payments/may-park";

describe("the cause of a failed payment that an operator reads", () => {
  it("is the first line of the error, because the others may name a node's URL", () => {
    const error = new Error("HTTP request failed.\n\nURL: https://node.example/v2/a-key");
    expect(toCause(error)).toBe("HTTP request failed.");
  });

  it("is no longer than 200 characters", () => {
    expect(toCause(new Error(`${"a".repeat(200)}b`))).toBe("a".repeat(200));
  });

  it("is unknown if what was thrown is not an error", () => {
    expect(toCause({ message: "not an error" })).toBe("unknown");
  });
});

import { describe, expect, it } from "vitest";
import { toPlainText } from "~/lib/prose";

describe("formatted text", () => {
  it("has a plain text without its formatting", () => {
    expect(
      toPlainText([
        "Send ",
        { kind: "strong", content: ["only ", { kind: "em", content: ["USDT"] }] },
        " from ",
        { kind: "link", href: "/wallet", content: [{ kind: "code", text: "0x1" }] },
      ]),
    ).toBe("Send only USDT from 0x1");
  });
});

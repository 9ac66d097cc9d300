import { describe, expect, it } from "vitest";
import { isEmailLike } from "~/lib/email";

describe("what could be an e-mail address", () => {
  const host = (length: number) => `${"d".repeat(length - 4)}.org`;

  it.each(["a@b.c", "ada.l+x@mail.example.org", `${"a".repeat(64)}@b.c`, `a@${host(252)}`])("is %s", (text) => {
    expect(isEmailLike(text)).toBe(true);
  });

  it.each([
    "",
    "@b.c",
    "a@b",
    "a@.c",
    "a@b.",
    "a@b..c",
    "a@@b.c",
    "a b@c.d",
    "a@b c.d",
    "a@b.c d",
    "a@b.c@d.e",
    " a@b.c",
    "a@b.c ",
    `${"a".repeat(65)}@b.c`,
    `a@${host(253)}`,
  ])("is not %j", (text) => {
    expect(isEmailLike(text)).toBe(false);
  });
});

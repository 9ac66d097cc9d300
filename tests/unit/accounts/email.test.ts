import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseEmail, toMailbox } from "~/exchange.server/accounts/email";
import { invalidEmailMessage } from "~/lib/email";

const invalid = expect.objectContaining({ code: "invalid", fields: { identifier: invalidEmailMessage } });

describe("parsing an e-mail address", () => {
  it("T33 returns lower-case ASCII, with an international domain as punycode", () => {
    expect(parseEmail("Ada.Lovelace+Swap@Example.ORG")).toBe("ada.lovelace+swap@example.org");
    expect(parseEmail("ada@MÜNCHEN.example")).toBe("ada@xn--mnchen-3ya.example");
    expect(parseEmail("ada@xn--mnchen-3ya.example")).toBe("ada@xn--mnchen-3ya.example");
  });

  it.each([
    "аda@example.org", // a Cyrillic а
    "ad\u0131@example.org",
    "ſally@example.org",
    "a\u0000@example.org",
    "a@example.org\r\nBcc: x@example.org",
    '"a b"@example.org',
    "=?utf-8?q?ada?=@example.org",
    "a..b@example.org",
    ".a@example.org",
    "a@localhost",
    "a@127.0.0.1",
    "a@-example.org",
    "a@exam_ple.org",
    "a@b@example.org",
    "@example.org",
    "",
    `${"a".repeat(65)}@example.org`,
  ])("T33 refuses %j", (text) => {
    expect(() => parseEmail(text)).toThrow(invalid);
  });

  it("T33 returns stable, printable ASCII with one @ for any input", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.emailAddress(),
          fc.string({ unit: "grapheme" }).map((s) => `${s}@example.org`),
        ),
        (text) => {
          let email: string;
          try {
            email = parseEmail(text);
          } catch {
            return;
          }
          expect(email).toMatch(/^[!-?A-~]+@[a-z0-9.-]+$/);
          expect(parseEmail(email)).toBe(email);
          expect(parseEmail(text.toUpperCase().toLowerCase())).toBe(email);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("T17 refuses 50 kB of hostile input quickly", () => {
    expect(() => parseEmail(`${"a.".repeat(25_000)}@${"a-".repeat(100)}`)).toThrow(invalid);
  });
});

describe("the mailbox of an e-mail address", () => {
  it.each([
    ["ada@example.org", "ada@example.org"],
    ["ada+swap@example.org", "ada@example.org"],
    ["ada+a+b@example.org", "ada@example.org"],
    ["ada.lovelace@example.org", "ada.lovelace@example.org"],
    ["a.d.a+swap@gmail.com", "ada@gmail.com"],
    ["a.da@googlemail.com", "ada@gmail.com"],
    ["+ada@example.org", "+ada@example.org"],
  ])("T25 of %s is %s", (email, mailbox) => {
    expect(toMailbox(email)).toBe(mailbox);
  });
});

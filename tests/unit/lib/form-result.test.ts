import { expect, it } from "vitest";
import { type FormResult, toRefused } from "~/lib/form-result";

it("a refusal says why, or what is wrong with its fields", () => {
  const results: FormResult[] = [
    { kind: "refused", error: "Not now.", hint: "Try again later.", code: "busy" },
    { kind: "refused", fields: { email: "Enter an address." }, values: { email: "ada" } },
    { kind: "done", text: "Saved." },
    // @ts-expect-error
    { kind: "refused" },
    // @ts-expect-error
    { kind: "refused", fields: {}, hint: "Try again later." },
    // @ts-expect-error
    { kind: "done", text: "Saved.", error: "Not now." },
    // @ts-expect-error
    { kind: "done", text: "Saved.", fields: {} },
  ];
  const kinds = results.map((result) => toRefused(result)?.kind);
  const refused = "refused";
  expect(kinds).toEqual([refused, refused, undefined, refused, refused, undefined, undefined]);
  expect(toRefused(null)).toBeUndefined();
});

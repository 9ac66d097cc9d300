import { expect, it } from "vitest";
import { decideByLastName } from "~/sandbox.server/reviewer";

it.each([
  ["Lovelace", "approved"],
  [" REJECT ", "rejected"],
  ["Action", "action_required"],
  ["Pending", "pending"],
  // Names that every object has.
  ["Constructor", "approved"],
  ["__proto__", "approved"],
])("decides about the last name %s: %s", (lastName, status) => {
  expect(decideByLastName(lastName).status).toBe(status);
});

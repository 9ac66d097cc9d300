import { expect, it } from "vitest";
import { toError } from "~/exchange.server/chains/to-error";

it("keeps an error as it is, and anything else as the cause of one", () => {
  const error = new TypeError("broken");
  expect(toError(error)).toBe(error);
  expect(toError("broken")).toMatchObject({ message: "not an error", cause: "broken" });
});

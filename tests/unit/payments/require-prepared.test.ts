import { expect, it } from "vitest";
import { requirePrepared } from "~/exchange.server/payments/require-prepared";

it("says which payment was never prepared", () => {
  expect(() => requirePrepared({ id: "a payment", prepared: null })).toThrow("payment a payment was never prepared");
});

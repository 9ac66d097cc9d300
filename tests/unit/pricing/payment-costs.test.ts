import { expect, it } from "vitest";
import { toCost } from "~/exchange.server/pricing/payment-costs";
import { addMs, minuteMs } from "~/lib/durations";

it("T61 the cost of a payment is not known if it was read long ago, or before the database's clock was corrected", () => {
  const at = new Date("2026-01-01T12:00:00Z");
  const isKnown = (minutes: number) =>
    toCost({ paymentCost: 7n, walletCheckedAt: addMs(at, minutes * minuteMs) }, 5n, at).isKnown;
  expect([-11, -10, 0, 10, 11].map(isKnown)).toEqual([false, true, true, true, false]);
  expect(toCost({ paymentCost: 7n, walletCheckedAt: null }, 5n, at)).toEqual({ amount: 7n, isKnown: false });
});

import { expect, it } from "vitest";
import { toTimeLeftText } from "~/routes/swap/quote/order/order-times";
import { makeOrder } from "../../../support/orders";

it.each([
  ["00:19:59", ""],
  ["00:20:00", "Less than 10 minutes left to pay."],
  ["00:24:59", "Less than 10 minutes left to pay."],
  ["00:25:00", "Less than 5 minutes left to pay."],
  ["00:29:00", "Less than a minute left to pay."],
  ["00:29:59", "Less than a minute left to pay."],
])("at %s, announces about a price that is locked until 00:30: %s", (time, text) => {
  expect(toTimeLeftText(makeOrder(), Date.parse(`2030-01-01T${time}.000Z`))).toBe(text);
});

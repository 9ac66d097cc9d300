import { expect, it } from "vitest";
import { chooseGasLimit, limitRaise } from "~/exchange.server/chains/ethereum/fees";

it("T60 the gas limit covers a receiver who has moved all their USDT since the estimate", () => {
  expect(chooseGasLimit([46_109n], 1)).toBe(81_250n);
  expect(chooseGasLimit([80_000n, 80_000n, 20_000n], 2)).toBe(100_000n);
});

it("T60 a fee is raised to four times the price of gas, or to the maximum while the tip is lower than what nodes suggest", () => {
  const price = { baseFee: 10n, tip: 2n };
  expect(limitRaise({ maxPriorityFeePerGas: "2" }, price, 300n)).toBe(48n);
  expect(limitRaise({ maxPriorityFeePerGas: "2" }, price, 40n)).toBe(40n);
  expect(limitRaise({ maxPriorityFeePerGas: "1" }, price, 300n)).toBe(300n);
});

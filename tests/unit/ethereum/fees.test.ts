import { expect, it } from "vitest";
import {
  chooseFees,
  chooseGasLimit,
  chooseReplacementFees,
  type Fees,
  limitRaise,
  toPaymentCost,
} from "~/exchange.server/chains/ethereum/fees";

it("T60 the gas limit covers a receiver who has moved all their USDT since the estimate", () => {
  expect(chooseGasLimit([46_109n], 1)).toBe(81_250n);
  expect(chooseGasLimit([80_000n, 80_000n, 20_000n], 2)).toBe(100_000n);
});

it("T60 the gas limit follows the estimate of one node up to 150,000, and a higher one only if a majority reaches it", () => {
  expect(chooseGasLimit([150_000n, 70_000n, 70_000n], 2)).toBe(187_500n);
  expect(chooseGasLimit([150_001n, 70_000n, 70_000n], 2)).toBe(87_500n);
  expect(chooseGasLimit([400_000n, 200_000n, 70_000n], 2)).toBe(250_000n);
  expect(chooseGasLimit([400_000n], 2)).toBe(81_250n);
});

it("T60 a new payment offers twice the base fee and the tip, up to the limit", () => {
  expect(chooseFees({ baseFee: 10n, tip: 2n }, 22n)).toEqual({ maxFeePerGas: 22n, maxPriorityFeePerGas: 2n });
  expect(chooseFees({ baseFee: 10n, tip: 2n }, 21n)).toEqual({ maxFeePerGas: 21n, maxPriorityFeePerGas: 2n });
});

it("T60 fees that replace others are an eighth higher, at least a tenth at the limit, or as high as what is suggested", () => {
  const old = { maxFeePerGas: "100", maxPriorityFeePerGas: "10" };
  const replace = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint, limit: bigint) => {
    const fees = chooseReplacementFees(old, { maxFeePerGas, maxPriorityFeePerGas }, limit);
    return fees && [fees.maxFeePerGas, fees.maxPriorityFeePerGas];
  };
  expect(replace(22n, 2n, 300n)).toEqual([113n, 12n]);
  expect(replace(200n, 50n, 300n)).toEqual([200n, 50n]);
  expect(replace(400n, 400n, 300n)).toEqual([300n, 300n]);
  expect(replace(22n, 2n, 110n)).toEqual([110n, 12n]);
  expect(replace(22n, 2n, 109n)).toBeNull();
});

it.each([2n, 7n, 100n, 250n])("T60 raises from %d gwei end exactly at the limit", (first) => {
  const gwei = 10n ** 9n;
  const limit = 300n * gwei;
  const suggested = { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n };
  const raise = ({ maxFeePerGas, maxPriorityFeePerGas }: Fees): Fees => {
    const old = { maxFeePerGas: `${maxFeePerGas}`, maxPriorityFeePerGas: `${maxPriorityFeePerGas}` };
    const next = chooseReplacementFees(old, suggested, limit);
    return next === null ? { maxFeePerGas, maxPriorityFeePerGas } : raise(next);
  };
  expect(raise({ maxFeePerGas: first * gwei, maxPriorityFeePerGas: gwei }).maxFeePerGas).toBe(limit);
});

it("T60 only the tip of a payment that was refused at the limit is raised, if nodes suggest a higher one", () => {
  const old = { maxFeePerGas: "290", maxPriorityFeePerGas: "0" };
  const replace = (tip: bigint, limit: bigint, refused = true) =>
    chooseReplacementFees(old, { maxFeePerGas: 20n, maxPriorityFeePerGas: tip }, limit, { refused });
  expect(replace(10n, 300n)).toEqual({ maxFeePerGas: 300n, maxPriorityFeePerGas: 10n });
  expect(replace(400n, 300n)).toEqual({ maxFeePerGas: 300n, maxPriorityFeePerGas: 300n });
  expect(replace(10n, 300n, false)).toBeNull();
  expect(replace(0n, 300n)).toBeNull();
  // The limit was lowered since.
  expect(replace(10n, 289n)).toBeNull();
});

it("T60 a fee is raised to four times the price of gas, or to the maximum while the tip is lower than what nodes suggest", () => {
  const price = { baseFee: 10n, tip: 2n };
  expect(limitRaise({ maxPriorityFeePerGas: "2" }, price, 300n)).toBe(48n);
  expect(limitRaise({ maxPriorityFeePerGas: "2" }, price, 40n)).toBe(40n);
  expect(limitRaise({ maxPriorityFeePerGas: "1" }, price, 300n)).toBe(300n);
});

it("T67 a payment costs 150% of the price of gas, which is capped at the limit, rounded up to cents", () => {
  const gwei = 10n ** 9n;
  const price = { baseFee: 10n * gwei, tip: 2n * gwei };
  const toCost = (feeLimit: bigint) => toPaymentCost(price, { etherPrice: 3_000_000_000n, feeLimit });
  expect(toCost(300n * gwei)).toBe(3_510_000n);
  expect(toCost(11n * gwei + 1n)).toBe(3_220_000n);
});

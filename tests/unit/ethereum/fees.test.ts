import { expect, it } from "vitest";
import { chooseGasLimit } from "~/exchange.server/chains/ethereum/fees";

it("T60 the gas limit covers a receiver who has moved all their USDT since the estimate", () => {
  expect(chooseGasLimit([46_109n], 1)).toBe(81_250n);
  expect(chooseGasLimit([80_000n, 80_000n, 20_000n], 2)).toBe(100_000n);
});

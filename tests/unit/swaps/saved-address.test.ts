import { expect, it } from "vitest";
import { toShortAddress } from "~/swaps/saved-address";

it("an address is shortened to its start and end", () => {
  expect(toShortAddress("0x70997970C51812dc3A010C7d01b50e0d17dc79C8")).toBe("0x7099…79C8");
});

import { describe, expect, it } from "vitest";
import { takeFromLatest } from "~/exchange.server/orders/held-deposits";

const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 12, minute));
/** Deliberately not sorted by time. */
const deposits = [
  { id: "second", left: 20n, creditedAt: at(2) },
  { id: "third", left: 30n, creditedAt: at(3) },
  { id: "first", left: 10n, creditedAt: at(1) },
];
const take = (amount: bigint) =>
  takeFromLatest(deposits, amount).map(({ depositId, amount: part }) => [depositId, part]);

describe("the deposits that make up a refund", () => {
  it.each<[bigint, [string, bigint][]]>([
    [0n, []],
    [29n, [["third", 29n]]],
    [30n, [["third", 30n]]],
    [
      31n,
      [
        ["third", 30n],
        ["second", 1n],
      ],
    ],
    [
      60n,
      [
        ["third", 30n],
        ["second", 20n],
        ["first", 10n],
      ],
    ],
  ])("are the latest ones, the oldest of these only as far as it is needed for %s", (amount, parts) => {
    expect(take(amount)).toEqual(parts);
  });
});

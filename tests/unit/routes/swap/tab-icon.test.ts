import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Transaction } from "~/api/contract";
import type { OrderStatus } from "~/lib/order-states";
import { drawTabIcon } from "~/routes/swap/quote/order/tab-icon";
import { day } from "~/styles/palette";
import { tabIconColors } from "~/styles/tab-icon";
import { makeOrder } from "../../../support/orders";

const draw = (status: OrderStatus, changes = {}) => drawTabIcon(makeOrder({ status, ...changes }));
const svgOf = (icon: string | null) => decodeURIComponent((icon ?? "").replace("data:image/svg+xml,", ""));
/** How much of the tile is still empty, from the top, of 64. */
const emptyOf = (icon: string | null) => Number([...svgOf(icon).matchAll(/d="M0 (\d+)h64v64H0z"/g)].at(-1)?.[1]);
const leanOf = (icon: string | null) => Number(/<g transform="rotate\((-?[\d.]+) /.exec(svgOf(icon))?.[1]);

const counting = (confirmations: number) => ({
  incoming_txs: [{ status: "pending", amount: "250", confirmations, required_confirmations: 3 } as Transaction],
});

describe("the tab icon of an order", () => {
  it("fills up and raises its horns with each step and confirmation", () => {
    const steps = [
      draw("awaiting_deposit"),
      draw("confirming", counting(0)),
      draw("confirming", counting(1)),
      draw("confirming", counting(2)),
      draw("paying_out"),
      draw("completed"),
    ];
    const empty = steps.map(emptyOf);
    expect(empty).toEqual([...empty].sort((a, b) => b - a));
    expect(new Set(empty).size).toBe(steps.length);
    expect([empty[0], empty.at(-1)]).toEqual([64, 0]);
    const leans = steps.map(leanOf);
    expect(leans).toEqual([...leans].sort((a, b) => a - b));
    expect(leans.at(-1)).toBe(0);
  });

  it("is green when the order is done, and crosses its horns when it is stuck", () => {
    expect(svgOf(draw("completed"))).toContain(tabIconColors.done);
    for (const status of ["needs_decision", "on_hold"] as const) {
      expect(svgOf(draw(status))).toContain(tabIconColors.stuck);
      expect(svgOf(draw(status))).toContain("rotate(42 15 27)");
    }
  });

  it.each(["refunded", "expired", "cancelled"] as const)("is the site's own icon once the order is %s", (status) => {
    expect(draw(status)).toBeNull();
  });

  it("uses the colours of the palette and of the site's icon", () => {
    const { done, stuck, moving, mark } = tabIconColors;
    expect([done, stuck, moving, mark]).toEqual([day.good, day.danger, day.accent, day.onAccent]);
    const own = readFileSync("public/favicon.svg", "utf8");
    expect(own).toContain(moving);
    expect(own).toContain(mark);
  });
});

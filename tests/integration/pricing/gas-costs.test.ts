import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { orders } from "~/exchange.server/db/schema/orders";
import { readMarket } from "~/exchange.server/pricing/market";
import { toCosts } from "~/exchange.server/pricing/payment-costs";
import type { AssetSymbol } from "~/lib/assets";
import { parseAmount } from "~/lib/money";
import { forAllTests } from "../../support/for-tests";
import { openOrders } from "../../support/orders-harness";

const usdt = (amount: number) => BigInt(Math.round(amount * 1e6));
const mob = (amount: number) => BigInt(Math.round(amount * 1e6)) * 10n ** 6n;

describe("T67 the cost of gas", () => {
  const w = forAllTests(() => openOrders("PGlite"));

  const setCost = async (amount: number) => {
    w.usdt.faults.paymentCost = usdt(amount);
    await w.tick();
  };

  const readCosts = async (configured: Record<AssetSymbol, bigint>) => {
    const { chains } = await readMarket(w.ctx.db);
    return toCosts(chains, configured, await w.ctx.clock.now(w.ctx.db));
  };

  it("is part of a quote's fee, and stays what it was in the quote", async () => {
    await setCost(2.1);
    const user = await w.createUser();
    const order = await w.lock(user, "MOB", "60");
    const paidFor = (feeAmount: bigint) => (feeAmount * 350_000_000_000n) / 10n ** 18n;
    expect(paidFor(order.feeAmount)).toBe(usdt(2.1));
    await setCost(9);
    // Overpaid by 1%, which is swapped too: the fee is calculated again.
    w.mob.deposit(order.fundingAddress, mob(60.6));
    await w.settle();
    const done = await w.see(user, order.id);
    expect(done.status).toBe("completed");
    expect(paidFor(parseAmount(done.fee_amount, "MOB"))).toBe(usdt(2.1));
    const later = await w.quote(user, "MOB", "60");
    expect(paidFor(later.feeAmount)).toBe(usdt(9));
  });

  it("is deducted from a refund as it is when the refund is planned, and never less than the configured cost", async () => {
    await setCost(4);
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, usdt(60));
    await w.settle();
    await setCost(7);
    await w.decide(user, order.id, { choice: "refund" });
    await setCost(1);
    await w.settle();
    expect(w.usdt.paid.filter(({ to }) => to === order.refundAddress)).toMatchObject([{ amount: usdt(53) }]);
    const { payoutCost } = w.ctx.config;
    expect(await readCosts(payoutCost)).toEqual({ USDT: usdt(1), MOB: payoutCost.MOB });
    expect(await readCosts({ USDT: usdt(3), MOB: 0n })).toEqual({ USDT: usdt(3), MOB: 0n });
  });

  it("stays as it was quoted, like the fee's percentage, when the settings change", async () => {
    const order = await w.lock(await w.createUser(), "USDT", "1000");
    w.usdt.deposit(order.fundingAddress, usdt(1000));
    const { feeBps } = w.ctx.config;
    w.ctx.config.feeBps = 4 * feeBps;
    await w.settle();
    w.ctx.config.feeBps = feeBps;
    const [row] = await w.ctx.db.select().from(orders).where(eq(orders.id, order.id));
    expect(row).toMatchObject({ filledFee: order.feeAmount, filledTarget: order.targetAmount });
  });

  it("is the cost of the asset's own chain", async () => {
    await setCost(5);
    w.mob.faults.paymentCost = mob(0.5);
    await w.tick();
    expect(await readCosts(w.ctx.config.payoutCost)).toEqual({ USDT: usdt(5), MOB: mob(0.5) });
  });
});

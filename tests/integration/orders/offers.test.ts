import { eq, sql } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { orderEvents } from "~/exchange.server/db/schema/orders";
import { quotes } from "~/exchange.server/db/schema/quotes";
import { readLiquidity } from "~/exchange.server/orders/liquidity";
import { fillOrder } from "~/exchange.server/orders/payouts-and-refunds/fill";
import { lockOrderRow } from "~/exchange.server/orders/transition";
import { getOwnOrderWithMovements } from "~/exchange.server/orders/views/movements";
import { toOrders } from "~/exchange.server/orders/views/order-view";
import { forAllTests } from "../../support/for-tests";
import { type OrdersHarness, openOrders, type User } from "../../support/orders-harness";

/** Creates an order that is paid in full after its payment deadline, and returns its ID. */
async function createLateOrder(w: OrdersHarness, user: User): Promise<string> {
  const order = await w.lock(user, "USDT", "100");
  w.wait(33 * 60_000);
  await w.tick();
  w.usdt.deposit(order.fundingAddress, order.sourceAmount);
  await w.settle();
  return order.id;
}

describe("an offer for an order that was paid late", () => {
  const w = forAllTests(() => openOrders("PostgreSQL"));
  let orderId: string;
  beforeAll(async () => {
    orderId = await createLateOrder(w, await w.createUser());
  });

  it("is made only while there is a recent rate", async () => {
    // The only rate is from before the order.
    const strict = w.inProcess({ ...w.ctx, config: { ...w.ctx.config, rateMaxAgeMs: 30 * 60_000 } });
    expect(await strict.offer(orderId)).toBeNull();
    await w.refreshRate();
    expect(await strict.offer(orderId)).toMatchObject({ status: "open", offerForOrderId: orderId });
  });

  it("is not said to be impossible if the rate cannot be read", async () => {
    w.wait(w.ctx.config.quoteTtlMs + 1);
    await w.ctx.db.execute(sql`alter table rate_points rename to unreadable`);
    const failure: unknown = await w.offer(orderId).catch((error: unknown) => error);
    await w.ctx.db.execute(sql`alter table unreadable rename to rate_points`);
    expect(failure).toBeInstanceOf(Error);
    expect(await w.offer(orderId)).toMatchObject({ status: "open" });
  });
});

describe("the offer of an order", () => {
  const w = forAllTests(() => openOrders("PostgreSQL"));
  let user: User;
  let orderId: string;
  beforeEach(async () => {
    await w.refreshRate();
    user = await w.createUser();
    orderId = await createLateOrder(w, user);
  });
  afterEach(() => vi.restoreAllMocks());

  const makeOffer = async () => {
    const offer = await w.offer(orderId);
    if (!offer) throw new Error("an offer was expected");
    return offer;
  };
  const statusOf = async (id: number) =>
    (await w.ctx.db.select({ status: quotes.status }).from(quotes).where(eq(quotes.id, id)))[0]?.status;
  const eventsOf = (id: string) =>
    w.ctx.db
      .select({ kind: orderEvents.kind, data: orderEvents.data })
      .from(orderEvents)
      .where(eq(orderEvents.orderId, id))
      .orderBy(orderEvents.id);

  it("has the received amount and the current payout cost, and is recorded as an event", async () => {
    const offer = await makeOffer();
    expect(offer).toMatchObject({
      status: "open",
      sourceAsset: "USDT",
      targetAsset: "MOB",
      sourceAmount: 100_000_000n,
    });
    expect(offer.payoutCost).toBe(w.ctx.config.payoutCost.MOB);
    expect((await eventsOf(orderId)).at(-1)).toEqual({ kind: "offer_made", data: { quote: offer.id } });
  });

  it("stays the same until its last millisecond, and is then replaced without another event", async () => {
    const offer = await makeOffer();
    const clock = vi.spyOn(w.ctx.clock, "now");
    clock.mockResolvedValue(new Date(offer.expiresAt.getTime() - 1));
    expect(await makeOffer()).toMatchObject({ id: offer.id });
    clock.mockResolvedValue(offer.expiresAt);
    const next = await makeOffer();
    expect(next.id).not.toBe(offer.id);
    expect([await statusOf(offer.id), await statusOf(next.id)]).toEqual([undefined, "open"]);
    expect((await eventsOf(orderId)).filter(({ kind }) => kind === "offer_made")).toHaveLength(1);
    expect(await w.see(user, orderId)).toMatchObject({ updated_at: offer.expiresAt.toISOString() });
  });

  it("cannot be accepted once it was replaced, and the newer one is returned", async () => {
    const offer = await makeOffer();
    await w.ctx.db.update(quotes).set({ status: "expired" }).where(eq(quotes.id, offer.id));
    const next = await makeOffer();
    const accept = (quoteId: number) => w.decide(user, orderId, { choice: "requote", quote_id: quoteId });
    await expect(accept(offer.id)).rejects.toMatchObject({ code: "offer_expired", extra: { offer: { id: next.id } } });
    expect(await accept(next.id)).toMatchObject({ status: "paying_out" });
    expect(await statusOf(next.id)).toBe("used");
  });

  it("is replaced before it expires if it is no longer open", async () => {
    const offer = await makeOffer();
    await w.ctx.db.update(quotes).set({ status: "expired" }).where(eq(quotes.id, offer.id));
    expect((await makeOffer()).id).not.toBe(offer.id);
  });

  it("does not exist if a requote is not one of the choices", async () => {
    const short = await w.lock(await w.createUser(), "USDT", "100");
    w.usdt.deposit(short.fundingAddress, 60_000_000n);
    await w.settle();
    expect(await w.offer(short.id)).toBeNull();
    const unpaid = await w.lock(await w.createUser(), "USDT", "100");
    expect(await w.offer(unpaid.id)).toBeNull();
  });

  it("is gone once the order has a decision, even if it was not deleted", async () => {
    const offer = await makeOffer();
    await w.ctx.db.execute(sql`update orders set status = 'refunding' where id = ${orderId}`);
    expect(await statusOf(offer.id)).toBe("open");
    expect(await w.offer(orderId)).toBeNull();
  });

  it.each<[string, () => Promise<unknown>]>([
    ["its owner chooses a refund", () => w.decide(user, orderId, { choice: "refund" })],
    [
      "the time to decide is over",
      async () => {
        w.wait(73 * 3_600_000);
        await w.tick();
      },
    ],
    [
      "more arrives",
      async () => {
        w.usdt.deposit((await w.see(user, orderId)).funding_address, 5_000_000n);
        await w.settle();
      },
    ],
    [
      "the order was paid out without it",
      () =>
        w.ctx.db.transaction(async (tx) => {
          const order = await lockOrderRow(tx, orderId);
          const { sourceAmount, targetAmount, rate } = order;
          const price = { sourceAmount, targetAmount, rate, feeAmount: 0n };
          const at = await w.ctx.clock.now(tx);
          await fillOrder(tx, w.ctx, order, { price, at, reason: { paid: "the hash of its payout" } });
        }),
    ],
    [
      "a payment is found that was made in time",
      async () => {
        const { funding_address: address, created_at } = await w.see(user, orderId);
        w.usdt.deposit(address, 100_000_000n, { at: new Date(Date.parse(created_at) + 60_000) });
        w.usdt.mine();
        await w.scan("USDT");
        expect((await w.see(user, orderId)).status).toBe("confirming");
      },
    ],
  ])("is deleted when %s", async (_, end) => {
    const offer = await makeOffer();
    await end();
    expect(await statusOf(offer.id)).toBeUndefined();
  });

  it("is not made for more than we can pay, and is made once it can", async () => {
    const { maxPayment } = w.mob.faults;
    w.mob.faults.maxPayment = 1n;
    await w.tick();
    expect(await w.offer(orderId)).toBeNull();
    w.mob.faults.maxPayment = maxPayment;
    await w.tick();
    expect(await w.offer(orderId)).toMatchObject({ status: "open" });
  });

  it("T60 is neither made nor accepted while the wallet has only what is reserved for other orders", async () => {
    const { spendable } = w.mob.faults;
    const { obligations } = await readLiquidity(w.ctx.db, "MOB", user.accountId);
    const offer = await makeOffer();
    // Enough for the reserve of the lock, or for this offer.
    w.mob.faults.spendable = obligations + 300n * 10n ** 12n;
    await w.tick();
    await w.lock(await w.createUser(), "USDT", "100");
    const accept = (quoteId: number) => w.decide(user, orderId, { choice: "requote", quote_id: quoteId });
    await expect(accept(offer.id)).rejects.toMatchObject({
      code: "liquidity",
      message: "We can't cover this swap right now. Try again later, or get your money back.",
      retryAfterSeconds: 600,
    });
    expect(await w.see(user, orderId)).toMatchObject({ status: "needs_decision", outgoing_txs: [] });
    w.wait(w.ctx.config.quoteTtlMs + 1);
    await w.refreshRate();
    await w.tick();
    expect(await w.offer(orderId)).toBeNull();
    w.mob.faults.spendable = spendable;
    await w.tick();
    const next = await makeOffer();
    expect(await accept(next.id)).toMatchObject({ status: "paying_out" });
  });

  it("is not made while a payout costs more than what was received", async () => {
    w.wait(w.ctx.config.quoteTtlMs + 1);
    await w.refreshRate();
    w.mob.faults.paymentCost = 1_000n * 10n ** 12n;
    await w.tick();
    expect(await w.offer(orderId)).toBeNull();
    w.mob.faults.paymentCost = 0n;
    await w.tick();
    expect(await w.offer(orderId)).toMatchObject({ status: "open" });
  });

  it("is not made while the cost of a payout has not been read for ten minutes", async () => {
    w.mob.faults.paymentCost = 10n ** 12n;
    await w.tick();
    w.wait(10 * 60_000 + 1_000);
    await w.refreshRate();
    expect(await w.offer(orderId)).toBeNull();
    await w.tick();
    expect(await w.offer(orderId)).toMatchObject({ status: "open", payoutCost: 10n ** 12n });
    w.mob.faults.paymentCost = 0n;
    await w.tick();
  });

  describe("and the state of our wallets", () => {
    const accept = (quoteId: number) => w.decide(user, orderId, { choice: "requote", quote_id: quoteId });
    const choices = async () => (await w.see(user, orderId)).decision?.choices;

    it("is neither made nor accepted while our wallet cannot pay, and a refund is still possible", async () => {
      const offer = await makeOffer();
      w.mob.faults.paymentBlockReason = "The wallet is syncing.";
      await w.tick();
      await expect(accept(offer.id)).rejects.toMatchObject({
        code: "swaps_stopped",
        message: "New prices are paused right now. Your money is safe: try again later, or get it back.",
        extra: { reason: "mobilecoin_payments_blocked" },
      });
      expect(await choices()).toEqual(["refund"]);
      expect(await w.offer(orderId)).toBeNull();
      await w.decide(user, orderId, { choice: "refund" });
      w.mob.faults.paymentBlockReason = null;
      await w.settle();
      expect((await w.see(user, orderId)).status).toBe("refunded");
    });

    it("is neither made nor accepted if our wallet has not been read for ten minutes", async () => {
      w.wait(10 * 60_000 - 10_000);
      await w.refreshRate();
      const offer = await makeOffer();
      expect(await choices()).toEqual(["requote", "refund"]);
      w.wait(11_000);
      await expect(accept(offer.id)).rejects.toMatchObject({
        code: "swaps_stopped",
        extra: { reason: "mobilecoin_out_of_reach" },
      });
      expect(await choices()).toEqual(["refund"]);
      expect(await w.offer(orderId)).toBeNull();
      await w.tick();
      expect(await makeOffer()).toMatchObject({ id: offer.id });
      expect(await accept(offer.id)).toMatchObject({ status: "paying_out" });
    });

    it("is made and accepted while the wallet that pays can pay, even if the other cannot refund", async () => {
      w.usdt.faults.paymentBlockReason = "Tether has paused all USDT transfers.";
      await w.tick();
      const offer = await makeOffer();
      expect(await accept(offer.id)).toMatchObject({ status: "paying_out" });
      w.usdt.faults.paymentBlockReason = null;
      await w.tick();
    });
  });

  it("is shown with its order until it expires", async () => {
    const shown = async () => (await w.see(user, orderId)).decision?.offer ?? null;
    expect(await shown()).toBeNull();
    const offer = await makeOffer();
    expect(await shown()).toMatchObject({ id: offer.id, status: "open", source_amount: "100" });
    const clock = vi.spyOn(w.ctx.clock, "now");
    clock.mockResolvedValue(new Date(offer.expiresAt.getTime() - 1));
    expect(await shown()).toMatchObject({ id: offer.id });
    clock.mockResolvedValue(offer.expiresAt);
    expect(await shown()).toBeNull();
    clock.mockRestore();
    await w.ctx.db.update(quotes).set({ status: "expired" }).where(eq(quotes.id, offer.id));
    expect(await shown()).toBeNull();
  });

  it("is shown with its own order only, in a list", async () => {
    const offer = await makeOffer();
    const short = await w.lock(await w.createUser(), "USDT", "100");
    w.usdt.deposit(short.fundingAddress, 60_000_000n);
    await w.settle();
    const rows = [
      await getOwnOrderWithMovements(w.ctx.db, user.accountId, orderId),
      await getOwnOrderWithMovements(w.ctx.db, short.accountId, short.id),
    ];
    const decisions = (await toOrders(w.ctx, rows)).map(({ decision }) => decision);
    expect(decisions).toMatchObject([{ offer: { id: offer.id } }, { reason: "underpaid", offer: null }]);
  });

  it("T61 does not stay open at its price if it was made while the database's clock was an hour ahead", async () => {
    const hourMs = 3_600_000;
    w.wait(hourMs);
    await w.tick();
    await w.refreshRate();
    const offer = await makeOffer();
    w.wait(-hourMs);
    await w.tick();
    const accepted = w.decide(user, orderId, { choice: "requote", quote_id: offer.id });
    await expect(accepted).rejects.toMatchObject({ code: "offer_expired" });
  });
});

import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { DecisionRequest } from "~/api/contract";
import type { Mail } from "~/exchange.server/context";
import { accounts } from "~/exchange.server/db/schema/accounts";
import { orders } from "~/exchange.server/db/schema/orders";
import { quotes } from "~/exchange.server/db/schema/quotes";
import { holdOrder } from "~/exchange.server/orders/holds/hold";
import { getOwnOrder } from "~/exchange.server/orders/own-order";
import { refundOrder } from "~/exchange.server/orders/payouts-and-refunds/refund";
import { lockOrderRow, transition } from "~/exchange.server/orders/transition";
import { toOrder } from "~/exchange.server/orders/views/order-view";
import { forAllTests } from "../../support/for-tests";
import { openOrders, type User } from "../../support/orders-harness";

const w = forAllTests(() => openOrders("PostgreSQL"));
let user: User;
beforeEach(async () => {
  user = await w.createUser();
});
afterEach(() => vi.restoreAllMocks());

async function lockUnderpaid() {
  const order = await w.lock(user, "USDT", "100");
  w.usdt.deposit(order.fundingAddress, 60_000_000n);
  await w.settle();
  return order;
}

async function lockLate() {
  const order = await w.lock(user, "USDT", "100");
  w.wait(33 * 60_000);
  await w.tick();
  w.usdt.deposit(order.fundingAddress, 100_000_000n);
  await w.settle();
  const offer = await w.offer(order.id);
  if (!offer) throw new Error("an offer was expected");
  return { order, offer };
}

const decide = (orderId: string, request: DecisionRequest) =>
  w.decide(user, orderId, request).then(
    ({ status }) => status,
    ({ code }: { code: string }) => code,
  );

it("an underpaid order whose whole amount would go to the fee can only be topped up or refunded", async () => {
  w.usdt.faults.paymentCost = 40_000_000n;
  await w.tick();
  const order = await w.lock(user, "MOB", "1000");
  w.usdt.faults.paymentCost = 0n;
  w.mob.deposit(order.fundingAddress, 100n * 10n ** 12n);
  await w.settle();
  const { decision } = await w.see(user, order.id);
  expect(decision).toMatchObject({ reason: "underpaid", choices: ["refund"], accept: null });
  await expect(w.decide(user, order.id, { choice: "accept" })).rejects.toMatchObject({
    code: "conflict",
    message: "This doesn't cover the fee of the swap. Send the rest, or choose a refund.",
  });
  const { email } = (await w.ctx.db.select().from(accounts).where(eq(accounts.id, user.accountId)))[0] ?? {};
  const mails: Mail[] = [];
  w.ctx.mail = { send: async (mail) => void mails.push(mail) };
  while ((await w.sendMail()) > 0);
  const mail = mails.filter((sent) => sent.to === email).at(-1);
  expect(mail?.text).toContain("Send the missing 900.00 MOB");
  expect(mail?.text).not.toContain("Swap what arrived at the locked price");
  await w.decide(user, order.id, { choice: "refund" });
});

describe("a decision that is sent again", () => {
  it("has no further effect if it accepts what was received", async () => {
    const order = await lockUnderpaid();
    expect(await decide(order.id, { choice: "accept" })).toBe("paying_out");
    expect(await decide(order.id, { choice: "accept" })).toBe("paying_out");
    await w.settle();
    expect(await decide(order.id, { choice: "accept" })).toBe("completed");
    expect(w.mob.paid.filter(({ to }) => to === order.deliveryAddress)).toHaveLength(1);
  });

  it("is refused if an operator has refunded the order, without saying that the customer did", async () => {
    const order = await lockUnderpaid();
    await w.ctx.db.transaction(async (tx) => {
      const locked = await lockOrderRow(tx, order.id);
      await refundOrder(tx, w.ctx, locked, { by: "operator", at: await w.ctx.clock.now(tx) });
    });
    await expect(w.decide(user, order.id, { choice: "accept" })).rejects.toMatchObject({
      code: "already_decided",
      message: expect.stringContaining("by you, by our team, or because"),
    });
  });

  it("is refused if the order was already refunded at its deadline", async () => {
    const order = await lockUnderpaid();
    w.wait(73 * 3_600_000);
    await w.tick();
    expect(await decide(order.id, { choice: "refund" })).toBe("already_decided");
    await w.settle();
    expect(w.usdt.paid.filter(({ to }) => to === order.refundAddress)).toHaveLength(1);
  });
});

it("an order that was paid too little states what accepting pays out, on the terms that were quoted", async () => {
  const order = await lockUnderpaid();
  // A process with other settings: a higher fee, and a payout that costs more than it.
  const { config } = w.ctx;
  const payoutCost = { ...config.payoutCost, MOB: 10_000_000_000_000n };
  const ctx = { ...w.ctx, config: { ...config, feeBps: config.feeBps * 2, payoutCost } };
  const see = async () => toOrder(ctx, await getOwnOrder(ctx.db, user.accountId, order.id));
  const stated = (await see()).decision?.accept;
  expect(stated).toEqual({ target_amount: expect.any(String), fee_amount: "0.3" });
  await w.inProcess(ctx).decide(user, order.id, { choice: "accept" });
  expect(await see()).toMatchObject({ status: "paying_out", source_amount: "60", ...stated });
});

it("an order that waits for a decision is late once more arrives after its deadline", async () => {
  const order = await lockUnderpaid();
  expect((await w.see(user, order.id)).decision?.reason).toBe("underpaid");
  w.wait(33 * 60_000);
  w.usdt.deposit(order.fundingAddress, 40_000_000n);
  await w.settle();
  const { status, decision } = await w.see(user, order.id);
  expect([status, decision?.reason]).toEqual(["needs_decision", "late"]);
  expect(decision?.accept).toBeNull();
});

it("an order without a decision to make says so", async () => {
  const order = await w.lock(user, "USDT", "100");
  const refused = { code: "conflict", message: "This swap doesn't need a decision." };
  for (const choice of ["accept", "refund"] as const) {
    await expect(w.decide(user, order.id, { choice })).rejects.toMatchObject(refused);
  }
  await w.cancel(order.id);
  await expect(w.decide(user, order.id, { choice: "refund" })).rejects.toMatchObject(refused);
});

it("an order whose decision is on hold, or has been overtaken, does not say that there is no decision", async () => {
  const changed = { code: "conflict", message: expect.stringContaining("something has changed in the meantime") };
  const [held, toppedUp] = [await lockUnderpaid(), await lockUnderpaid()];
  await w.ctx.db.transaction((tx) => holdOrder(tx, w.ctx, held.id, { reason: "A check." }));
  w.usdt.deposit(toppedUp.fundingAddress, 40_000_000n);
  await w.scan("USDT");
  for (const order of [held, toppedUp]) {
    await expect(w.decide(user, order.id, { choice: "refund" })).rejects.toMatchObject(changed);
  }
  await w.settle();
});

it("an order below the minimum says that the rest can be sent, until the time to pay has ended", async () => {
  const order = await w.lock(user, "USDT", "100");
  w.usdt.deposit(order.fundingAddress, 5_000_000n);
  await w.settle();
  const accept = () => w.decide(user, order.id, { choice: "accept" });
  await expect(accept()).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("Send the rest") });
  w.wait(33 * 60_000);
  await expect(accept()).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("has ended") });
  await w.tick();
});

it("an order that was paid late says why the locked price cannot be accepted", async () => {
  const { order } = await lockLate();
  await expect(w.decide(user, order.id, { choice: "accept" })).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("the time to pay has ended"),
  });
});

describe("a decision of a blocked account", () => {
  it("is refused, except a refund", async () => {
    const order = await lockUnderpaid();
    const setBlocked = (blockedAt: Date | null) =>
      w.ctx.db.update(accounts).set({ blockedAt }).where(eq(accounts.id, user.accountId));
    await setBlocked(new Date());
    expect(await decide(order.id, { choice: "accept" })).toBe("user_inactive");
    expect(await decide(order.id, { choice: "refund" })).toBe("refunding");
    await setBlocked(null);
  });
});

describe("an offer", () => {
  it("is not accepted once it was voided, even if it has not expired", async () => {
    const { order, offer } = await lockLate();
    await w.ctx.db.update(quotes).set({ status: "expired" }).where(eq(quotes.id, offer.id));
    expect(await decide(order.id, { choice: "requote", quote_id: offer.id })).toBe("offer_expired");
    expect((await w.see(user, order.id)).decision?.offer?.id).not.toBe(offer.id);
  });

  it("is not accepted for an amount other than the one received, even if it was not voided", async () => {
    const { order, offer } = await lockLate();
    await w.ctx.db.update(quotes).set({ sourceAmount: 99_000_000n }).where(eq(quotes.id, offer.id));
    expect(await decide(order.id, { choice: "requote", quote_id: offer.id })).toBe("offer_expired");
  });

  it("is no longer accepted in the millisecond in which it expires", async () => {
    const { order, offer } = await lockLate();
    vi.spyOn(w.ctx.clock, "now").mockResolvedValue(offer.expiresAt);
    expect(await decide(order.id, { choice: "requote", quote_id: offer.id })).toBe("offer_expired");
  });
});

describe("a payout that failed", () => {
  it.each([
    ["late", 33 * 60_000],
    ["in time", 0],
  ])("leaves only a refund, even after another deposit: %s", async (_, waitMs) => {
    const order = await w.lock(user, "MOB", "100");
    w.usdt.faults.blocked.add(order.deliveryAddress);
    w.mob.deposit(order.fundingAddress, 100_000_000_000_000n);
    await w.settle();
    const { decision } = await w.see(user, order.id);
    expect(decision).toMatchObject({ reason: "payout_failed", choices: ["refund"] });
    w.wait(waitMs);
    await w.tick();
    w.mob.deposit(order.fundingAddress, 1_000_000_000_000n);
    await w.settle();
    expect(await w.see(user, order.id)).toMatchObject({
      status: "needs_decision",
      decision: { ...decision, amount: "101" },
    });
    expect(await w.offer(order.id)).toBeNull();
    expect(await decide(order.id, { choice: "refund" })).toBe("refunding");
    await w.settle();
    expect(w.mob.paid.filter(({ to }) => to === order.refundAddress)).toMatchObject([{ amount: 101_000_000_000_000n }]);
    w.usdt.faults.blocked.clear();
  });
});

describe("a change of an order's status", () => {
  const read = async (id: string) => {
    const [row] = await w.ctx.db.select().from(orders).where(eq(orders.id, id));
    if (!row) throw new Error("the order is missing");
    return row;
  };

  it("is refused if the status is not what it was", async () => {
    const { id } = await w.lock(user, "USDT", "100");
    const stale = await read(id);
    await w.cancel(id);
    const change = transition(w.ctx.db, stale, "confirming", { kind: "released", at: new Date() });
    await expect(change).rejects.toMatchObject({ code: "conflict" });
    expect((await read(id)).status).toBe("cancelled");
  });

  it("is refused if the order does not exist", async () => {
    const missing = "00000000-0000-4000-8000-000000000000";
    await expect(w.ctx.db.transaction((tx) => lockOrderRow(tx, missing))).rejects.toMatchObject({ code: "not_found" });
  });

  it("is announced to watchers even if only a confirmation was added", async () => {
    const { id, fundingAddress } = await w.lock(user, "USDT", "100");
    w.usdt.deposit(fundingAddress, 100_000_000n);
    await w.scan("USDT");
    const before = await read(id);
    w.wait(1_000);
    await w.scan("USDT");
    const after = await read(id);
    expect(after.status).toBe("confirming");
    expect(after.updatedAt.getTime()).toBeGreaterThan(before.updatedAt.getTime());
  });
});

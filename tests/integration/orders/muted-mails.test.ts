import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import type { Mail } from "~/exchange.server/context";
import { accounts } from "~/exchange.server/db/schema/accounts";
import { formatUtc, toExactText } from "~/exchange.server/mail/format";
import { sendOutbox } from "~/exchange.server/mail/outbox";
import { holdOrder, releaseOrder } from "~/exchange.server/orders/holds/hold";
import { plainNumberStyle } from "~/lib/number-style";
import { toOrderNumber } from "~/lib/order-number";
import { formatShort } from "~/lib/shown-amount";
import { type SwapMail, swapMails } from "~/lib/swap-mails";
import { forAllTests } from "../../support/for-tests";
import { openOrders, type User } from "../../support/orders-harness";

describe("e-mails about swaps", () => {
  const w = forAllTests(() => openOrders("PostgreSQL"));
  const mails: Mail[] = [];
  beforeAll(async () => {
    w.ctx.mail = { send: async (mail) => void mails.push(mail) };
    await w.setRate(350_000_000_000n);
    await w.tick();
  });

  const createUser = async (...mutedMails: SwapMail[]) => {
    const user = await w.createUser();
    await w.ctx.db.update(accounts).set({ mutedMails }).where(eq(accounts.id, user.accountId));
    return user;
  };
  const sendAll = async () => {
    while ((await sendOutbox(w.ctx)) > 0);
  };
  const pay = async (user: User, ...amounts: bigint[]) => {
    const order = await w.lock(user, "USDT", "100");
    for (const amount of amounts) {
      w.usdt.deposit(order.fundingAddress, amount);
      await w.tick();
      await sendAll();
      await w.settle();
      await sendAll();
    }
    return order;
  };
  const toDecisionSubject = ({ quoteId }: { quoteId: number }) =>
    `Your swap needs a decision: ${toOrderNumber(quoteId)}`;
  const subjectsTo = async ({ accountId }: User) => {
    await sendAll();
    return mails.filter(({ to }) => to.startsWith(accountId.toLowerCase())).map(({ subject }) => subject);
  };

  it("announce the first payment once, and state the fee and the rate when the swap is complete", async () => {
    const user = await createUser();
    const order = await pay(user, 60_000_000n, 40_000_000n);
    const { status, fee_amount, exchange_rate, target_amount, quote_id } = await w.see(user, order.id);
    expect(status).toBe("completed");
    expect(await subjectsTo(user)).toEqual([
      "We've seen your payment: 60.00 USDT",
      toDecisionSubject(order),
      `Your swap is complete: ${formatShort(target_amount, plainNumberStyle)} MOB`,
    ]);
    expect(mails.at(-3)?.text).toMatch(
      / This is 40\.00 USDT less than agreed\. You can send the rest until .+ UTC\.\n/,
    );
    const text = mails.at(-1)?.text;
    expect(text).toContain(`Fee included: ${toExactText(fee_amount, "USDT")}\nRate: 1 USDT = ${exchange_rate} MOB\n`);
    expect(text).toContain(`\nAmount: ${toExactText(target_amount, "MOB")}\n`);
    expect(text).toContain(`\nOpen this swap: ${w.ctx.config.origin}/swap/quote/${quote_id}\n`);
    expect(text).not.toContain("deducted");
  });

  it("ask again when the rest arrives too late, because the choices have changed", async () => {
    const user = await createUser();
    const order = await pay(user, 60_000_000n);
    w.wait(w.ctx.config.lockTtlMs + w.ctx.config.graceMs);
    // A further late payment changes neither the reason nor the choices.
    for (const amount of [30_000_000n, 10_000_000n]) {
      w.usdt.deposit(order.fundingAddress, amount);
      await w.setRate(350_000_000_000n);
      await w.settle();
      await sendAll();
    }
    expect(await subjectsTo(user)).toEqual([
      "We've seen your payment: 60.00 USDT",
      toDecisionSubject(order),
      toDecisionSubject(order),
    ]);
    const text = mails.at(-1)?.text;
    expect(text).toContain("Your payment arrived after the time to pay had ended");
    expect(text).toContain("\nWe received: 90.00 USDT\n");
    expect(text).not.toMatch(/at the locked price|Missing: /);
  });

  it("say until when the locked price can be accepted during the grace period", async () => {
    const user = await createUser("payment_seen");
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 60_000_000n);
    await w.tick();
    w.wait(w.ctx.config.lockTtlMs + w.ctx.config.graceMs / 2);
    await w.setRate(350_000_000_000n);
    await w.settle();
    expect(await subjectsTo(user)).toEqual([toDecisionSubject(order)]);
    const until = formatUtc(new Date(order.expiresAt.getTime() + order.graceMs));
    expect(mails.at(-1)?.text).toContain(
      `You can:\n\n- Swap what arrived at the locked price, until ${until}\n- After that, swap what arrived`,
    );
  });

  it("announce the first payment to a swap that has expired before it is confirmed", async () => {
    const user = await createUser();
    const order = await w.lock(user, "USDT", "100");
    w.wait(w.ctx.config.lockTtlMs + w.ctx.config.graceMs + 1_000);
    await w.tick();
    expect((await w.see(user, order.id)).status).toBe("expired");
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.tick();
    expect(await subjectsTo(user)).toEqual(["We've seen your payment: 100.00 USDT"]);
    expect(mails.at(-1)?.text).toContain("It arrived after the time to pay had ended. We'll ask you what to do");
    await w.setRate(350_000_000_000n);
    await w.settle();
    expect((await subjectsTo(user)).slice(1)).toEqual([toDecisionSubject(order)]);
  });

  it("announce the first payment once, even if a reorg removes it for a while", async () => {
    const user = await createUser();
    const order = await w.lock(user, "USDT", "100");
    const hash = w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.tick();
    w.usdt.reorgAway(hash);
    await w.tick();
    expect((await w.see(user, order.id)).status).toBe("awaiting_deposit");
    await sendAll();
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
    expect(await subjectsTo(user)).toEqual([
      "We've seen your payment: 100.00 USDT",
      expect.stringMatching(/^Your swap is complete/),
    ]);
  });

  it("say that the payment is gone if the swap ends without it, whatever is turned off", async () => {
    const [expired, decided] = [await createUser(...swapMails), await createUser("payment_seen")];
    const order = await w.lock(expired, "USDT", "100");
    const unpaid = await w.lock(expired, "USDT", "100");
    const undecided = await w.lock(decided, "USDT", "100");
    const pending = w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.tick();
    w.usdt.reorgAway(pending);
    await w.tick();
    const credited = w.usdt.deposit(undecided.fundingAddress, 60_000_000n);
    await w.settle();
    expect(await subjectsTo(expired)).toEqual([]);
    w.usdt.reorgAway(credited);
    await w.tick();
    w.wait(w.ctx.config.lockTtlMs + w.ctx.config.graceMs + 1_000);
    await w.tick();
    for (const [user, { id }] of [
      [expired, order],
      [expired, unpaid],
      [decided, undecided],
    ] as const)
      expect((await w.see(user, id)).status).toBe("expired");
    const toGone = ({ quoteId }: { quoteId: number }) => `Your payment has disappeared: ${toOrderNumber(quoteId)}`;
    expect(await subjectsTo(expired)).toEqual([toGone(order)]);
    expect(await subjectsTo(decided)).toEqual([toDecisionSubject(undecided), toGone(undecided)]);
    await w.setRate(350_000_000_000n);
    await w.tick();

    const other = await createUser("payment_seen");
    const refunded = await w.lock(other, "USDT", "100");
    const withdrawn = w.usdt.deposit(refunded.fundingAddress, 60_000_000n);
    await w.settle();
    await w.decide(other, refunded.id, { choice: "refund" });
    w.usdt.reorgAway(withdrawn);
    await w.scan("USDT");
    expect((await w.see(other, refunded.id)).status).toBe("refunded");
    expect((await subjectsTo(other)).at(-1)).toBe(toGone(refunded));
  });

  it("say what is true when they are sent, even if they had to wait", async () => {
    const user = await createUser("paid_out");
    const [done, undecided] = [await w.lock(user, "USDT", "100"), await w.lock(user, "USDT", "100")];
    for (const { fundingAddress } of [done, undecided]) w.usdt.deposit(fundingAddress, 60_000_000n);
    await w.settle();
    expect((await w.see(user, done.id)).status).toBe("needs_decision");
    w.usdt.deposit(done.fundingAddress, 40_000_000n);
    await w.settle();
    expect((await w.see(user, done.id)).status).toBe("completed");
    expect(await subjectsTo(user)).toEqual([toDecisionSubject(undecided)]);
    // A decision that could only be made until now.
    const late = await w.lock(user, "USDT", "100");
    w.usdt.deposit(late.fundingAddress, 60_000_000n);
    await w.settle();
    w.wait(w.ctx.config.decisionTtlMs);
    expect(await subjectsTo(user)).toEqual([toDecisionSubject(undecided)]);
    await w.tick();
    await w.setRate(350_000_000_000n);
    await w.settle();
  });

  it("are dropped unsent once the decision is made or the hold has ended", async () => {
    const user = await createUser();
    const [refunded, filled, held] = [
      await w.lock(user, "USDT", "100"),
      await w.lock(user, "USDT", "100"),
      await w.lock(user, "USDT", "100"),
    ];
    for (const { fundingAddress } of [refunded, filled]) w.usdt.deposit(fundingAddress, 60_000_000n);
    w.usdt.deposit(held.fundingAddress, 100_000_000n);
    await w.tick();
    await w.ctx.db.transaction((tx) => holdOrder(tx, w.ctx, held.id, { reason: "A question" }));
    await w.settle();
    await w.decide(user, refunded.id, { choice: "refund" });
    await w.decide(user, filled.id, { choice: "accept" });
    await w.ctx.db.transaction((tx) => releaseOrder(tx, w.ctx, held.id));
    expect((await w.see(user, refunded.id)).status).toBe("refunding");
    expect((await w.see(user, filled.id)).status).toBe("paying_out");
    expect((await w.see(user, held.id)).status).toBe("paying_out");
    const released = `Your swap is no longer on hold: ${toOrderNumber(held.quoteId)}`;
    expect(await subjectsTo(user)).toEqual([released]);
    await w.settle();
    expect(await subjectsTo(user)).toHaveLength(4);
  });

  it("are not queued when the customer has turned them off, one kind at a time", async () => {
    const [all, some] = [await createUser(...swapMails), await createUser("payment_seen")];
    await pay(all, 100_000_000n);
    await pay(some, 100_000_000n);
    expect(await subjectsTo(all)).toEqual([]);
    expect(await subjectsTo(some)).toEqual([expect.stringMatching(/^Your swap is complete/)]);
  });

  it("do not offer to swap an amount of USDT that is outside the limits at any price", async () => {
    const user = await createUser("payment_seen");
    const [tiny, late] = [await w.lock(user, "USDT", "100"), await w.lock(user, "USDT", "100")];
    w.usdt.deposit(tiny.fundingAddress, 5_000_000n);
    await w.settle();
    await sendAll();
    const text = mails.at(-1)?.text;
    expect(text).toContain("The amount you sent is worth less than our minimum of 10.00 USDT.");
    expect(text).toMatch(
      /You can:\n\n- Send the missing 95\.00 USDT, until .+ UTC\n- Get it back, less the network fee\n\n/,
    );
    w.wait(w.ctx.config.lockTtlMs + w.ctx.config.graceMs);
    w.usdt.deposit(late.fundingAddress, 9_999_999n);
    await w.setRate(350_000_000_000n);
    await w.settle();
    expect(await subjectsTo(user)).toEqual([tiny, late].map(toDecisionSubject));
    expect(mails.at(-1)?.text).toContain("You can:\n\n- Get it back, less the network fee\n\n");
    // The value of MOB may change.
    const mob = await w.lock(await createUser("payment_seen"), "MOB", "100");
    w.mob.deposit(mob.fundingAddress, 5n * 10n ** 12n);
    await w.settle();
    await sendAll();
    expect(mails.at(-1)?.text).toContain("\n- After that, swap what arrived at a new price, if");
  });

  it("ask for a decision whatever is turned off", async () => {
    const user = await createUser(...swapMails);
    const order = await pay(user, 50_000_000n);
    await w.decide(user, order.id, { choice: "refund" });
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("refunded");
    expect(await subjectsTo(user)).toEqual([toDecisionSubject(order)]);
  });

  it("don't ask blocked customers to sign in, whatever the cause of the hold and whatever arrived", async () => {
    const user = await createUser("payment_seen");
    const [held, underpaid] = [await w.lock(user, "USDT", "100"), await w.lock(user, "USDT", "100")];
    const blockedAt = await w.ctx.clock.now(w.ctx.db);
    await w.ctx.db.update(accounts).set({ blockedAt }).where(eq(accounts.id, user.accountId));
    w.usdt.deposit(held.fundingAddress, 100_000_000n);
    await w.tick();
    await w.ctx.db.transaction((tx) => holdOrder(tx, w.ctx, held.id, { reason: "A question" }));
    w.usdt.deposit(underpaid.fundingAddress, 60_000_000n);
    await w.settle();
    expect((await subjectsTo(user)).sort()).toEqual([
      `We can't continue your swap: ${toOrderNumber(underpaid.quoteId)}`,
      `Your swap is on hold: ${toOrderNumber(held.quoteId)}`,
    ]);
    for (const { text } of mails.slice(-2)) expect(text).not.toMatch(/sign in|open this swap/i);
  });

  it("name what was deducted for a refund", async () => {
    const { refundCost } = w.ctx.config;
    w.ctx.config.refundCost = { ...refundCost, USDT: 500_000n };
    const user = await createUser("payment_seen");
    const order = await pay(user, 50_000_000n);
    await w.decide(user, order.id, { choice: "refund" });
    await w.settle();
    w.ctx.config.refundCost = refundCost;
    expect((await subjectsTo(user)).at(-1)).toBe("Your swap was refunded: 49.50 USDT");
    expect(mails.at(-1)?.text).toContain("\nAmount: 49.50 USDT\nNetwork fee deducted: 0.50 USDT\nTransaction: ");
  });

  it("report money that arrived after the swap had ended and was sent back", async () => {
    const user = await createUser();
    const order = await pay(user, 100_000_000n, 30_000_000n);
    expect((await w.see(user, order.id)).status).toBe("completed");
    expect((await subjectsTo(user)).at(-1)).toBe("We returned 30.00 USDT to you");
    expect(mails.at(-1)?.text).toContain("\nAmount: 30.00 USDT\n");
    expect(mails.at(-1)?.text).toContain("\nFee included: ");
  });

  it("don't name a fee when a swap that was cancelled sends a payment back", async () => {
    const user = await createUser();
    const order = await w.lock(user, "USDT", "100");
    await w.cancel(order.id);
    w.usdt.deposit(order.fundingAddress, 30_000_000n);
    await w.settle();
    expect((await subjectsTo(user)).at(-1)).toBe("We returned 30.00 USDT to you");
    expect(mails.at(-1)?.text).toContain("\nAgreed: 100.00 USDT for ");
    expect(mails.at(-1)?.text).not.toContain("Fee included");
  });

  it("are not sent to a deleted account, whose late payment is still returned", async () => {
    const user = await createUser();
    const order = await pay(user, 100_000_000n);
    const before = await subjectsTo(user);
    const deletedAt = await w.ctx.clock.now(w.ctx.db);
    await w.ctx.db.update(accounts).set({ deletedAt }).where(eq(accounts.id, user.accountId));
    w.usdt.deposit(order.fundingAddress, 30_000_000n);
    await w.settle();
    expect(w.usdt.paid.filter(({ to }) => to === order.refundAddress)).toMatchObject([{ amount: 30_000_000n }]);
    const { outgoing_txs } = await w.see(user, order.id);
    expect(outgoing_txs.map(({ status }) => status)).toEqual(["confirmed", "confirmed"]);
    expect(await subjectsTo(user)).toEqual(before);
  });
});

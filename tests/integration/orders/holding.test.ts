import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Mail } from "~/exchange.server/context";
import { payments } from "~/exchange.server/db/schema/payments";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { holdOrder, releaseOrder } from "~/exchange.server/orders/holds/hold";
import {
  holdIneligibleOrders,
  holdUnverifiedOrders,
  releaseEligibleOrders,
} from "~/exchange.server/orders/holds/owner-eligibility";
import { lockOrderRow } from "~/exchange.server/orders/transition";
import { markPlannedPaid } from "~/exchange.server/payments/mark-paid";
import { switchOff } from "~/exchange.server/switches/switches";
import { toOrderNumber } from "~/lib/order-number";
import { forEachTest } from "../../support/for-tests";
import { interrupted } from "../../support/interrupted";
import { openOrders, type User } from "../../support/orders-harness";

const w = forEachTest(() => openOrders("PostgreSQL"));
let user: User;
beforeEach(async () => {
  user = await w.createUser();
});
afterEach(async () => {
  expect(await checkBooks(w.ctx.db)).toEqual([]);
});

const see = ({ id }: { id: string }) => w.see(user, id);
const hold = ({ id }: { id: string }, reason: string) =>
  w.ctx.db.transaction((tx) => holdOrder(tx, w.ctx, id, { reason }));
const release = ({ id }: { id: string }) => w.ctx.db.transaction((tx) => releaseOrder(tx, w.ctx, id));
/** An order that was paid, confirmed and booked: at 100 percent its payout is planned. */
const pay = async (percent: bigint) => {
  const order = await w.lock(user, "USDT", "100");
  w.usdt.deposit(order.fundingAddress, percent * 1_000_000n);
  w.usdt.mine(3);
  await w.scan("USDT");
  return order;
};

it("an order on hold keeps its reason and its deadline when it is put on hold again", async () => {
  const order = await pay(60n);
  await hold(order, "A check.");
  const { hold: first } = await see(order);
  w.wait(60_000);
  await hold(order, "Another check.");
  expect((await see(order)).hold).toEqual(first);
  expect(first?.reason).toBe("A check.");
});

it("an order that is released asks for the same decision as before", async () => {
  const order = await pay(60n);
  const { decision } = await see(order);
  expect(decision?.reason).toBe("underpaid");
  await hold(order, "A check.");
  await release(order);
  expect((await see(order)).decision).toMatchObject({ ...decision, deadline: expect.any(String) });
  const row = await w.ctx.db.transaction((tx) => lockOrderRow(tx, order.id));
  expect(row).toMatchObject({ holdReason: null, heldFrom: null, holdDeadline: null });
});

it("an order that is released leaves its owner as much time to decide as when it was put on hold", async () => {
  const order = await pay(60n);
  const { decision } = await see(order);
  const hourMs = 3_600_000;
  w.wait(w.ctx.config.decisionTtlMs - 2 * hourMs);
  await hold(order, "A check.");
  w.wait(2 * hourMs);
  await hold(order, "Another check.");
  w.wait(2 * hourMs);
  await release(order);
  await w.tick();
  const later = await see(order);
  expect(later.status).toBe("needs_decision");
  const moved = Date.parse(later.decision?.deadline ?? "") - Date.parse(decision?.deadline ?? "");
  expect(moved).toBeGreaterThanOrEqual(4 * hourMs);
  expect(moved).toBeLessThan(4 * hourMs + 60_000);
  w.wait(2 * hourMs);
  await w.tick();
  expect((await see(order)).status).toBe("refunding");
});

it("a refund that is held continues after its release, even if its owner may no longer swap", async () => {
  const order = await pay(60n);
  await w.decide(user, order.id, { choice: "refund" });
  await hold(order, "A check.");
  await w.setKyc(user, "rejected");
  await release(order);
  await w.settle();
  expect((await see(order)).status).toBe("refunded");
});

it("an account's orders are put on hold, except one whose payment is under way", async () => {
  const leaving = await pay(100n);
  w.mob.faults.broadcast = "drop";
  await w.pay("MOB");
  const waiting = await pay(60n);
  await w.ctx.db.transaction((tx) => holdUnverifiedOrders(tx, w.ctx, user.accountId));
  expect([(await see(leaving)).status, (await see(waiting)).status]).toEqual(["paying_out", "on_hold"]);
});

it("an order is not put on hold if its owner is approved again in the meantime", async () => {
  const order = await pay(100n);
  await w.setKyc(user, "rejected");
  await holdIneligibleOrders(interrupted(w.ctx, () => w.setKyc(user, "approved")));
  expect(await see(order)).toMatchObject({ status: "paying_out", hold: null });
});

it("an order keeps an operator's hold if its owner becomes ineligible at the same time", async () => {
  const order = await pay(100n);
  await w.setKyc(user, "rejected");
  await holdIneligibleOrders(interrupted(w.ctx, () => hold(order, "A check.")));
  expect(await see(order)).toMatchObject({ status: "on_hold", hold: { reason: "A check." } });
});

/** An order whose payment has too few confirmations. */
const payUnconfirmed = async (percent: bigint) => {
  const order = await w.lock(user, "USDT", "100");
  w.usdt.deposit(order.fundingAddress, percent * 1_000_000n);
  await w.scan("USDT");
  return order;
};
const refunding = async () => {
  const order = await pay(60n);
  await w.decide(user, order.id, { choice: "refund" });
  return order;
};
/** While the order is on hold, its payment is confirmed. */
const confirm = async () => {
  w.usdt.mine(3);
  await w.scan("USDT");
};

/** The subjects of the e-mails that are sent from now on, without the swap's number. */
const watchMails = async () => {
  while ((await w.sendMail()) > 0);
  const sent: Mail[] = [];
  w.ctx.mail = { send: async (mail) => void sent.push(mail) };
  return async ({ quoteId }: { quoteId: number }) => {
    while ((await w.sendMail()) > 0);
    return sent.map(({ subject }) => subject.replace(`: ${toOrderNumber(quoteId)}`, ""));
  };
};

it.each([
  { what: "a payout", start: () => pay(100n), subject: "Your swap is no longer on hold" },
  { what: "a payment on its way", start: () => payUnconfirmed(100n), subject: "Your swap is no longer on hold" },
  {
    what: "a payment that was confirmed in the meantime",
    start: () => payUnconfirmed(100n),
    meanwhile: confirm,
    subject: "Your swap is no longer on hold",
  },
  {
    what: "a payment that is too low",
    start: () => payUnconfirmed(60n),
    meanwhile: confirm,
    subject: "Your swap needs a decision",
  },
  { what: "a decision", start: () => pay(60n), subject: "Your swap needs a decision" },
  { what: "a refund", start: refunding, subject: "Your refund is no longer on hold" },
])("the owner gets one e-mail when a hold of $what is released", async ({ start, meanwhile, subject }) => {
  const order = await start();
  await hold(order, "A check.");
  await meanwhile?.();
  const readMails = await watchMails();
  await release(order);
  expect(await readMails(order)).toEqual([subject]);
});

it("the owner gets an e-mail when a job releases an order because its owner may swap again", async () => {
  const order = await pay(100n);
  await w.setKyc(user, "rejected");
  await holdIneligibleOrders(w.ctx);
  await w.setKyc(user, "approved");
  const readMails = await watchMails();
  await releaseEligibleOrders(w.ctx);
  expect(await readMails(order)).toEqual(["Your swap is no longer on hold"]);
});

it("the owner gets only the e-mail about the payout if the one about the release has not been sent yet", async () => {
  const order = await pay(100n);
  await hold(order, "A check.");
  const readMails = await watchMails();
  await release(order);
  await w.settle();
  expect(await readMails(order)).toEqual([expect.stringMatching(/^Your swap is complete: /)]);
});

it("the owner of an order that is refunded at the end of its hold gets the e-mail about the refund", async () => {
  const order = await pay(60n);
  await hold(order, "A check.");
  const readMails = await watchMails();
  w.wait(w.ctx.config.decisionTtlMs);
  await w.settle();
  expect((await see(order)).status).toBe("refunded");
  expect(await readMails(order)).toEqual(["Your swap was refunded: 60.00 USDT"]);
});

it("until a hold ends, the owner of the order is not told about a refund that was made by hand", async () => {
  const order = await refunding();
  await hold(order, "A check.");
  const readMails = await watchMails();
  const [refund] = await w.ctx.db.select().from(payments).where(eq(payments.orderId, order.id));
  const paymentId = refund?.id ?? "";
  await switchOff(w.ctx.db, "payments", { reason: "A test.", at: await w.ctx.clock.now(w.ctx.db) });
  await w.ctx.db.transaction((tx) => markPlannedPaid(tx, w.ctx, { paymentId, hash: "by hand" }));
  expect(await readMails(order)).toEqual([]);
  await release(order);
  expect(await readMails(order)).toEqual(["Your swap was refunded: 60.00 USDT"]);
});

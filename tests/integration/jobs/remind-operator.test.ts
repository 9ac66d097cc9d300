import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import type { Mail } from "~/exchange.server/context";
import { accounts } from "~/exchange.server/db/schema/accounts";
import { rescans } from "~/exchange.server/db/schema/chains";
import type { OrderRow } from "~/exchange.server/db/schema/orders";
import { remindOperator } from "~/exchange.server/jobs/remind-operator";
import { extendHold, holdOrder, releaseOrder } from "~/exchange.server/orders/holds/hold";
import { lockOrderRow } from "~/exchange.server/orders/transition";
import { switchOff } from "~/exchange.server/switches/switches";
import { forAllTests } from "../../support/for-tests";
import { openOrders, type User } from "../../support/orders-harness";
import { switchOn } from "../../support/switch-on";

const minute = 60_000;
const hour = 60 * minute;
const w = forAllTests(() => openOrders("PGlite"));

const remind = async () => {
  await remindOperator(w.ctx);
  return (await listAlerts(w.ctx.db)).map(({ subject }) => subject);
};
const now = () => w.ctx.clock.now(w.ctx.db);
const lock = async (user?: User) => w.lock(user ?? (await w.createUser()), "USDT", "100");
const pay = async (locked?: OrderRow) => {
  const order = locked ?? (await lock());
  w.usdt.deposit(order.fundingAddress, 100_000_000n);
  w.usdt.mine(3);
  await w.scan("USDT");
  return order;
};

it("reminds the operator of payments that have been off for half an hour, while customers are waiting for them", async () => {
  const later = await lock();
  await pay();
  await switchOff(w.ctx.db, "payments", { reason: "A withdrawal.", at: await now() });
  w.wait(29 * minute);
  expect(await remind()).toEqual([]);
  w.wait(2 * minute);
  expect(await remind()).toEqual(["payments-off"]);
  const [alert] = await listAlerts(w.ctx.db);
  expect(alert?.reason).toMatch(/customers are waiting for [0-9.]+ MOB \(1 payment\)\.$/);
  await pay(later);
  await remind();
  expect((await listAlerts(w.ctx.db))[0]?.reason).toMatch(/ MOB \(2 payments\)\.$/);
  await switchOn(w.ctx.db, "payments");
  expect(await remind()).toEqual([]);
});

it("reminds the operator of a hold twelve hours before its deadline, until it is extended", async () => {
  const mails: Mail[] = [];
  w.ctx.mail = { send: async (mail) => void mails.push(mail) };
  await w.refreshRate();
  await w.tick();
  const { id } = await pay();
  const reason = "A check.";
  const held = await w.ctx.db.transaction((tx) => holdOrder(tx, w.ctx, id, { reason }));
  w.wait(59 * hour);
  expect(await remind()).toEqual([]);
  w.wait(2 * hour);
  expect(await remind()).toEqual([`hold:${id}`]);
  const extended = await w.ctx.db.transaction(async (tx) =>
    extendHold(tx, w.ctx, await lockOrderRow(tx, id), { reason }),
  );
  const gained = Number(extended.holdDeadline) - Number(held.holdDeadline);
  expect(Math.round(gained / hour)).toBe(61);
  expect(await remind()).toEqual([]);
  await w.sendMail();
  expect(mails.at(-1)?.subject).toMatch(/^Your swap is on hold for longer: /);
  expect(mails.at(-1)?.text).toContain("We need more time. A check. Your money is safe with us.");
});

it("reminds the operator of a rescan that is not finished after half an hour", async () => {
  const range = { fromBlock: 1, toBlock: 9, nextBlock: 4 };
  await w.ctx.db.insert(rescans).values({ asset: "MOB", ...range, requestedAt: await now() });
  w.wait(29 * minute);
  expect(await remind()).toEqual([]);
  w.wait(2 * minute);
  expect(await remind()).toEqual(["rescan:MOB"]);
  await w.ctx.db
    .update(rescans)
    .set({ finishedAt: await now() })
    .where(eq(rescans.asset, "MOB"));
  expect(await remind()).toEqual([]);
});

it("ends the reminder of a released hold, and keeps the reminder of another one", async () => {
  await w.refreshRate();
  await w.tick();
  const [first, second] = [await pay(), await pay()];
  const reason = "A check.";
  for (const { id } of [first, second]) await w.ctx.db.transaction((tx) => holdOrder(tx, w.ctx, id, { reason }));
  w.wait(61 * hour);
  expect(await remind()).toEqual(expect.arrayContaining([`hold:${first.id}`, `hold:${second.id}`]));
  await w.ctx.db.transaction((tx) => releaseOrder(tx, w.ctx, first.id));
  const left = await remind();
  expect(left).toContain(`hold:${second.id}`);
  expect(left).not.toContain(`hold:${first.id}`);
});

it("offers to release an order on hold only if its owner may swap", async () => {
  await w.refreshRate();
  await w.tick();
  const user = await w.createUser();
  const [asked, ineligible] = [await pay(), await pay(await lock(user))];
  await w.ctx.db.transaction((tx) => holdOrder(tx, w.ctx, asked.id, { reason: "A check." }));
  await w.ctx.db
    .update(accounts)
    .set({ blockedAt: await now() })
    .where(eq(accounts.id, user.accountId));
  await w.tick();
  w.wait(61 * hour);
  await remind();
  const alerts = await listAlerts(w.ctx.db);
  const actionOf = ({ id }: OrderRow) => alerts.find(({ subject }) => subject === `hold:${id}`)?.action;
  expect(actionOf(asked)).toBe(
    `Run "operate release ${asked.id}" or "operate refund ${asked.id}", or "operate hold ${asked.id} REASON" with the same reason to hold it for longer.`,
  );
  expect(actionOf(ineligible)).toBe(
    `Run "operate refund ${ineligible.id}", or "operate unblock ${user.accountId}" to release it, or "operate hold ${ineligible.id} REASON" with the same reason to hold it for longer. It is then still released automatically once its owner may swap. With another reason, only you can release it.`,
  );
});

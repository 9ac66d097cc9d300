import { and, eq } from "drizzle-orm";
import pino from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findCaller } from "~/exchange.server/accounts/find-caller";
import { refreshSession } from "~/exchange.server/accounts/refresh-session";
import { openSession } from "~/exchange.server/accounts/sessions";
import { clearAlert, raiseAlert } from "~/exchange.server/alerts/alerts";
import { type OpenDatabase, openPostgres } from "~/exchange.server/db/open";
import { accounts, passkeys, sessions } from "~/exchange.server/db/schema/accounts";
import { chainStates } from "~/exchange.server/db/schema/chains";
import { deposits } from "~/exchange.server/db/schema/deposits";
import { unknownPayments } from "~/exchange.server/db/schema/history";
import { outbox } from "~/exchange.server/db/schema/mail";
import { operatorActions } from "~/exchange.server/db/schema/operator-actions";
import type { OrderRow } from "~/exchange.server/db/schema/orders";
import { payments } from "~/exchange.server/db/schema/payments";
import { pushSubscriptions } from "~/exchange.server/db/schema/push";
import { external, post, treasury } from "~/exchange.server/ledger/ledger";
import { type Operator, type OperatorSetup, openOperator } from "~/exchange.server/operator/operator";
import { OperatorError } from "~/exchange.server/operator/operator-error";
import { toReserveReport } from "~/exchange.server/operator/report";
import { holdUnverifiedOrders } from "~/exchange.server/orders/holds/owner-eligibility";
import { parkPayment } from "~/exchange.server/payments/parked/park";
import { checkReserves } from "~/exchange.server/payments/reserves/check-reserves";
import { retainRecords } from "~/exchange.server/personal-data/retained-records";
import { endCauses, switchOff } from "~/exchange.server/switches/switches";
import { toOrderNumber } from "~/lib/order-number";
import { toOperatorSetup } from "../../support/operator-setup";
import { createOrdersHarness, type OrdersHarness, type User } from "../../support/orders-harness";
import { createTestPostgres } from "../../support/postgres";
import { switchOn } from "../../support/switch-on";

const log = pino({ level: "silent" });

describe("an operator", () => {
  let database: OpenDatabase;
  let w: OrdersHarness;
  let operator: Operator;
  let setup: OperatorSetup;

  beforeAll(async () => {
    const databaseUrl = await createTestPostgres();
    database = await openPostgres(databaseUrl);
    w = await createOrdersHarness(database);
    setup = toOperatorSetup(databaseUrl);
    operator = await openOperator(setup, log, "ada");
  });
  // A test that fails leaves them off.
  beforeEach(async () => {
    for (const name of ["payments", "swaps"] as const) await switchOn(w.ctx.db, name);
  });
  afterAll(async () => {
    await operator?.close();
    await database?.close();
  });

  /** What the deletion of an account leaves for an operator to read. */
  const deleteWithRecord = async ({ accountId }: User) => {
    const { db, clock } = w.ctx;
    const now = await clock.now(db);
    const [account] = await db.select().from(accounts).where(eq(accounts.id, accountId));
    if (!account) throw new Error("The account is missing.");
    await retainRecords(db, w.ctx, account, now);
    await db.update(accounts).set({ deletedAt: now }).where(eq(accounts.id, accountId));
  };

  it("puts an order on hold and refunds it; the running exchange sends the money", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.tick();
    await operator.hold(order.id, "A question from the bank.");
    const readHeld = async () => (await operator.getStatus()).held.find((onHold) => onHold.order === order.id);
    const held = await readHeld();
    expect(held).toMatchObject({ number: toOrderNumber(order.quoteId), reason: "A question from the bank." });
    await operator.hold(order.id, "A question from the bank.");
    expect(Date.parse((await readHeld())?.deadline ?? "")).toBeGreaterThan(Date.parse(held?.deadline ?? ""));
    expect((await operator.getStatus()).counts.openOrders).toBeGreaterThan(0);
    await w.settle();
    expect(await w.see(user, order.id)).toMatchObject({
      status: "on_hold",
      hold: { reason: "A question from the bank." },
    });
    const [status, refund] = await operator.refund(order.id);
    expect(status).toBe(`order ${toOrderNumber(order.quoteId)} (${order.id}): refunding`);
    expect(refund).toMatch(new RegExp(`^refund \\S+: [0-9.]+ USDT to ${order.refundAddress}, planned$`));
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("refunded");
  });

  it("is told what a refund waits for if nothing can be sent yet", async () => {
    const refund = async (order: OrderRow) => {
      await operator.hold(order.id, "A question from the bank.");
      const [status, ...waits] = await operator.refund(order.id);
      expect(status).toBe(`order ${toOrderNumber(order.quoteId)} (${order.id}): refunding`);
      return waits;
    };
    const orSee = 'If that takes half an hour, "operate status" says why, and what to do.';
    const pending = await w.lock(await w.createUser(), "USDT", "100");
    const unpriced = await w.lock(await w.createUser(), "USDT", "100");
    w.usdt.deposit(unpriced.fundingAddress, 100_000_000n);
    w.usdt.mine(2);
    w.usdt.deposit(pending.fundingAddress, 20_000_000n);
    await w.scan("USDT");
    const [deposit] = await w.ctx.db.select().from(deposits).where(eq(deposits.orderId, pending.id));
    expect(await refund(pending)).toEqual([
      `deposit ${deposit?.id}: 20 USDT, refunded once it has its confirmations. ${orSee}`,
    ]);
    const longAgo = new Date(Date.now() - 3_600_000);
    const gas = { paymentCost: 1_000_000n, walletCheckedAt: longAgo };
    await w.ctx.db.update(chainStates).set(gas).where(eq(chainStates.asset, "USDT"));
    expect(await refund(unpriced)).toEqual([
      `100 USDT is refunded once that is known to be more than a refund costs. ${orSee}`,
    ]);
    await w.settle();
    for (const { refundAddress } of [pending, unpriced])
      expect(w.usdt.paid.filter(({ to }) => to === refundAddress)).toHaveLength(1);
  });

  it("T64 blocks an account and holds its orders, and releases these when it ends the block", async () => {
    const user = await w.createUser();
    const pay = async () => {
      const order = await w.lock(user, "USDT", "100");
      w.usdt.deposit(order.fundingAddress, 100_000_000n);
      await w.tick();
      return order;
    };
    const asked = await pay();
    await operator.hold(asked.id, "A question from the bank.");
    const order = await pay();
    const [account] = await w.ctx.db.select().from(accounts).where(eq(accounts.id, user.accountId));
    const blocked = await operator.block(account?.email.toUpperCase() ?? "");
    expect(blocked[0]).toBe(`blocked: account ${user.accountId}`);
    expect(blocked).toContain(`order ${toOrderNumber(asked.quoteId)} (${asked.id}): on_hold`);
    expect(blocked.at(-1)).toMatch(
      /^These orders are not paid out while the account is blocked\. Refunds are still sent/,
    );
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("on_hold");
    await expect(operator.release(order.id)).rejects.toThrow("blocked or not verified");
    await operator.unblock(order.id);
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
    // An order that is on hold for another reason stays on hold.
    expect((await w.see(user, asked.id)).status).toBe("on_hold");
  });

  it("T64 says which payouts a block comes too late for", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    w.usdt.mine(3);
    await w.tick();
    const [payout] = await w.ctx.db.select().from(payments).where(eq(payments.orderId, order.id));
    expect(payout).toMatchObject({ purpose: "payout", asset: "MOB" });
    expect(["prepared", "sent"]).toContain(payout?.status);
    const lines = await operator.block(user.accountId);
    expect(lines.slice(3)).toEqual([
      expect.stringMatching(
        new RegExp(
          `^payout ${payout?.id}: [0-9.]+ MOB to .*, ${payout?.status}: this payment is under way, and blocking`,
        ),
      ),
      expect.stringMatching(/^These orders are not paid out while the account is blocked\. Refunds are still sent/),
    ]);
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
    await operator.unblock(user.accountId);
  });

  it("extends the hold of an order for the same reason, which still ends when its owner is verified", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 60_000_000n);
    await w.settle();
    await w.ctx.db.transaction((tx) => holdUnverifiedOrders(tx, w.ctx, user.accountId));
    const { hold } = await w.see(user, order.id);
    await operator.hold(order.id, hold?.reason ?? "");
    const extended = (await w.see(user, order.id)).hold;
    expect(extended?.reason).toBe("Your identity verification was withdrawn.");
    expect(Date.parse(extended?.deadline ?? "") - Date.parse(hold?.deadline ?? "")).toBeGreaterThan(0);
    await w.setKyc(user, "approved");
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("needs_decision");
  });

  it("T64 ends all sessions of an account when its block ends", async () => {
    const user = await w.createUser();
    const now = await w.ctx.clock.now(w.ctx.db);
    const session = {
      accountId: user.accountId,
      method: "passkey",
      passkeyAt: now,
      passkeyId: null,
      userAgent: null,
    } as const;
    const tokens = await openSession(w.ctx.db, w.ctx, session, now);
    const [open] = await w.ctx.db
      .select({ id: sessions.id })
      .from(sessions)
      .where(eq(sessions.accountId, user.accountId));
    const browser = { accountId: user.accountId, sessionId: open?.id ?? "", p256dh: "", auth: "", createdAt: now };
    await w.ctx.db.insert(pushSubscriptions).values({ ...browser, endpoint: "https://push.example" });
    const owner = `owner: ${user.accountId.toLowerCase()}@example.org`;
    await expect(operator.unblock(user.accountId)).rejects.toThrow(`Account ${user.accountId} is not blocked.`);
    expect(await findCaller(w.ctx, tokens.access_token)).not.toBeNull();
    expect(await operator.block(user.accountId)).toEqual([`blocked: account ${user.accountId}`, owner]);
    const readBlockedAt = async () =>
      (await w.ctx.db.select().from(accounts).where(eq(accounts.id, user.accountId)))[0]?.blockedAt;
    const since = await readBlockedAt();
    expect(await operator.block(user.accountId)).toEqual([
      `blocked: account ${user.accountId}`,
      owner,
      `It was blocked already, since ${since?.toISOString()}.`,
    ]);
    expect(await readBlockedAt()).toEqual(since);
    expect(JSON.stringify(await w.ctx.db.select().from(operatorActions))).not.toContain(owner);
    expect(await w.ctx.db.select().from(pushSubscriptions), "its browsers get no more notifications").toEqual([]);
    expect(await findCaller(w.ctx, tokens.access_token)).toMatchObject({ isBlocked: true });
    await operator.unblock(user.accountId);
    expect(await findCaller(w.ctx, tokens.access_token)).toBeNull();
    await expect(refreshSession(w.ctx, tokens.refresh_token ?? "")).rejects.toMatchObject({ code: "refresh_invalid" });
  });

  it("T31 lists the passkeys of an account, and removes those that its owner does not recognise while it is blocked", async () => {
    const [user, other] = [await w.createUser(), await w.createUser()];
    const now = await w.ctx.clock.now(w.ctx.db);
    const added = { publicKey: "", counter: 0, transports: [], backedUp: true };
    const toRow = (id: string, more: Partial<typeof passkeys.$inferInsert>) => {
      const owner = { accountId: user.accountId, name: id, createdAt: now };
      return { id, credentialId: `credential-${id}`, ...added, ...owner, ...more };
    };
    const [phone, stolen, foreign] = ["phone", "stolen", "foreign"].map((name) => `${name}-${user.accountId}`);
    if (!phone || !stolen || !foreign) throw new Error("There are three passkeys.");
    const later = new Date(now.getTime() + 60_000);
    await w.ctx.db
      .insert(passkeys)
      .values([
        toRow(phone, { createdAt: new Date(now.getTime() - 1_000), lastUsedAt: now }),
        toRow(stolen, { addedByPasskey: true, pausedUntil: later }),
        toRow(foreign, { accountId: other.accountId }),
      ]);
    const session = { accountId: user.accountId, method: "passkey", passkeyAt: now, userAgent: null } as const;
    const [byPhone, byStolen] = [
      await openSession(w.ctx.db, w.ctx, { ...session, passkeyId: phone }, now),
      await openSession(w.ctx.db, w.ctx, { ...session, passkeyId: stolen }, now),
    ];
    expect(await operator.listPasskeys(user.accountId)).toMatchObject([
      { id: stolen, name: stolen, addedByPasskey: true, lastUsedAt: null, pausedUntil: later.toISOString() },
      { id: phone, addedByPasskey: false, lastUsedAt: now.toISOString(), pausedUntil: null },
    ]);
    await expect(operator.removePasskey(user.accountId, stolen)).rejects.toThrow("is not blocked");
    await operator.block(user.accountId);
    await expect(operator.removePasskey(user.accountId, foreign)).rejects.toThrow(`has no passkey ${foreign}`);
    const known = (await operator.listActions()).length;
    const removed = [`removed: passkey ${stolen} of account ${user.accountId}`];
    expect(await operator.removePasskey(`${user.accountId}@example.org`, stolen)).toEqual(removed);
    expect((await operator.listActions()).slice(known)).toMatchObject([
      { operator: "ada", command: "remove-passkey", arguments: [user.accountId, stolen], result: removed },
    ]);
    expect(await operator.listPasskeys(user.accountId)).toMatchObject([{ id: phone }]);
    expect(await findCaller(w.ctx, byStolen.access_token)).toBeNull();
    expect(await findCaller(w.ctx, byPhone.access_token)).toMatchObject({ isBlocked: true });
    await operator.unblock(user.accountId);
  });

  it("T48 deletes an account again after a restored backup, without an e-mail, unless it has an open order", async () => {
    const user = await w.createUser();
    const { db } = w.ctx;
    const { id, quoteId } = await w.lock(user, "USDT", "100");
    const { accountId } = user;
    const lines: object[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
    const grace = await openOperator(setup, pino({ base: null, timestamp: false }, destination), "grace");
    const readAccount = async () => (await db.select().from(accounts).where(eq(accounts.id, accountId)))[0];
    const queued = await db.select({ id: outbox.id }).from(outbox);
    try {
      await expect(grace.deleteAccount(accountId, id)).rejects.toThrow(`"operate delete ${accountId} ${accountId}"`);
      await expect(grace.deleteAccount(accountId, accountId)).rejects.toThrow(
        `cannot be deleted yet: order ${toOrderNumber(quoteId)} is not finished.`,
      );
      expect(await readAccount()).toMatchObject({ deletedAt: null });
      await w.cancel(id);
      await grace.block(accountId);
      expect(await grace.deleteAccount(accountId, accountId)).toEqual([`deleted: account ${accountId}`]);
    } finally {
      await grace.close();
    }
    expect(await readAccount()).toMatchObject({ email: `deleted ${accountId}`, deletedAt: expect.any(Date) });
    expect((await operator.readRecord(accountId, "A check.")).details).toMatchObject({
      email: `${accountId.toLowerCase()}@example.org`,
    });
    expect(await db.select({ id: outbox.id }).from(outbox)).toEqual(queued);
    expect(lines).toContainEqual(expect.objectContaining({ account: accountId, msg: "an account was deleted" }));
    expect((await operator.listActions()).at(-1)).toMatchObject({ command: "delete", arguments: [accountId] });
    await expect(operator.deleteAccount(accountId, accountId)).rejects.toThrow(`There is no account ${accountId}`);
  });

  it("T87 records and logs every change with its operator, but never e-mail addresses or refused commands", async () => {
    const user = await w.createUser();
    const { id, quoteId } = await w.lock(user, "USDT", "100");
    const lines: object[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
    const grace = await openOperator(setup, pino({ base: null, timestamp: false }, destination), "grace");
    const known = (await operator.listActions()).length;
    try {
      await grace.turnOff("payments", "A withdrawal.");
      await grace.turnOn("payments");
      await grace.block(`${user.accountId}@example.org`);
      await grace.unblock(id);
      await expect(grace.hold(toOrderNumber(quoteId), "A check.")).rejects.toThrow("cannot be put on hold");
      await expect(grace.acceptPayment("ab12".repeat(16), false)).rejects.toThrow("There is no unknown payment");
    } finally {
      await grace.close();
    }
    const done = [
      { operator: "grace", command: "off", arguments: ["payments", "A withdrawal."], result: [] },
      { operator: "grace", command: "on", arguments: ["payments"], result: ["ended: A withdrawal."] },
      { operator: "grace", command: "block", arguments: [user.accountId] },
      { operator: "grace", command: "unblock", arguments: [user.accountId] },
    ];
    const recorded = (await operator.listActions()).slice(known);
    expect(recorded).toMatchObject(done);
    expect(recorded).toHaveLength(4);
    expect(lines).toMatchObject(done.map((action) => ({ ...action, msg: "an operator has changed something" })));
    await expect(w.ctx.db.delete(operatorActions)).rejects.toMatchObject({ cause: { code: "23001" } });
    expect((await operator.listActions()).slice(known)).toEqual(recorded);
  });

  it("cannot block an account that does not exist", async () => {
    await expect(operator.block("nobody@example.org")).rejects.toThrow(
      "There is no account nobody@example.org: check ACCOUNT and DATABASE_URL.",
    );
  });

  it("releases an order on hold, which then completes", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.tick();
    // An owner who writes to us names the number on the order's page.
    const number = toOrderNumber(order.quoteId);
    await operator.hold(number.toLowerCase(), "A check.");
    await w.settle();
    await operator.release(number);
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
  });

  const digits = "ab12".repeat(16);
  const writtenOtherwise = {
    USDT: { first: `0x${digits.toUpperCase()}`, stored: `0x${digits}`, others: [digits, `0X${digits}`, `0x${digits}`] },
    MOB: { first: `0a20${digits}`, stored: digits, others: [digits, digits.toUpperCase(), `0A20${digits}`] },
  };
  it.each(["USDT", "MOB"] as const)(
    "books only one payment with a transaction of %s, however its hash is written (T48)",
    async (asset) => {
      const source = asset === "USDT" ? "MOB" : "USDT";
      const parked = [];
      for (const user of [await w.createUser(), await w.createUser()]) {
        const order = await w.lock(user, source, "100");
        w.chains[source].deposit(order.fundingAddress, order.sourceAmount);
        w.chains[source].mine(3);
        await w.scan(source);
        const [payment] = await w.ctx.db.select().from(payments).where(eq(payments.orderId, order.id));
        if (!payment) throw new Error("no payment");
        await parkPayment(w.ctx, payment, { reason: "A test.", action: "Wait." });
        parked.push({ user, order, id: payment.id });
      }
      const [first, second] = parked as [(typeof parked)[0], (typeof parked)[0]];
      const { first: written, stored, others } = writtenOtherwise[asset];
      for (const text of [written.slice(0, -1), `${written}0`, "by hand"]) {
        await expect(operator.markPaid(first.id, text)).rejects.toThrow(/^HASH is not .*: 64 hexadecimal digits/);
      }
      await operator.markPaid(first.id, written);
      expect((await w.see(first.user, first.order.id)).outgoing_txs).toMatchObject([{ hash: stored }]);
      for (const hash of others) {
        await expect(operator.markPaid(second.id, hash)).rejects.toThrow(
          new OperatorError(
            `${stored} is already the transaction of another payment: look for this payment's transaction.`,
          ),
        );
      }
      expect((await w.see(first.user, first.order.id)).status).toBe("completed");
      expect((await w.see(second.user, second.order.id)).status).toBe("paying_out");
      await operator.retryPayment(second.id);
      await w.settle();
      expect((await w.see(second.user, second.order.id)).status).toBe("completed");
    },
  );

  it("shows an order with what an operator needs to help its owner", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, order.sourceAmount);
    w.usdt.mine(3);
    await w.scan("USDT");
    await w.settle();
    const number = toOrderNumber(order.quoteId);
    const report = await operator.getOrder(number);
    expect(await operator.getOrder(order.id)).toEqual(report);
    expect(report).toMatchObject({
      order: order.id,
      number,
      email: `${user.accountId}@example.org`.toLowerCase(),
      status: "completed",
      source: { asset: "USDT", amount: "100" },
      fundingAddress: order.fundingAddress,
      path: `m/44'/60'/0'/0/${order.fundingIndex}`,
      hold: null,
      decision: null,
      deposits: [{ amount: "100", status: "confirmed" }],
      payments: [{ purpose: "payout", asset: "MOB", status: "confirmed", isParked: false, lastError: null }],
    });
    const { db } = w.ctx;
    await db.update(accounts).set({ emailVerifiedAt: null }).where(eq(accounts.id, user.accountId));
    expect((await operator.getOrder(order.id)).email).toBeNull();
    expect(report.events.map(({ status }) => status)).toEqual(
      expect.arrayContaining(["awaiting_deposit", "confirming", "paying_out", "completed"]),
    );
    await expect(operator.getOrder("nothing")).rejects.toThrow("There is no order nothing: check ORDER");
  });

  it("books a planned payment that the wallet made before backups were restored, but only while payments are off (T48)", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, order.sourceAmount);
    w.usdt.mine(3);
    await w.scan("USDT");
    const [payment] = await w.ctx.db.select().from(payments).where(eq(payments.orderId, order.id));
    if (!payment) throw new Error("no payment");
    const hash = "cd34".repeat(16);
    await expect(operator.markPaid(payment.id, hash)).rejects.toThrow(/is not parked/);
    await operator.turnOff("payments", "Restored.");
    await operator.markPaid(payment.id, hash);
    await operator.turnOn("payments");
    await w.settle();
    expect(await w.see(user, order.id)).toMatchObject({ status: "completed", outgoing_txs: [{ hash }] });
  });

  it("books an amount added to the wallet, and the books balance", async () => {
    const { house } = await operator.getStatus();
    const more = Number(house.USDT) + 5000;
    expect(await operator.addFloat("USDT", "5000")).toEqual([`treasury: ${house.USDT} USDT before, ${more} after`]);
    expect(await operator.addFloat("USDT", "-5000")).toEqual([`treasury: ${more} USDT before, ${house.USDT} after`]);
    expect((await operator.getStatus()).house).toEqual(house);
    expect(await operator.checkBooks()).toEqual([]);
  });

  it("books the same amount twice within an hour only on purpose", async () => {
    const { house } = await operator.getStatus();
    await operator.addFloat("MOB", "7");
    await expect(operator.addFloat("MOB", "7.0")).rejects.toThrow(/^The same amount was booked at .* add --again\.$/);
    await operator.addFloat("MOB", "-7");
    await operator.addFloat("MOB", "7", true);
    await operator.addFloat("MOB", "-7", true);
    // What was booked more than an hour ago was not booked by the same command.
    const at = new Date(Date.now() - 3_601_000);
    const transfer = { asset: "MOB", from: external, to: treasury, amount: 9n * 10n ** 12n, kind: "float" } as const;
    await post(w.ctx.db, { transfers: [transfer], orderId: null, at });
    await operator.addFloat("MOB", "9");
    await operator.addFloat("MOB", "-18");
    expect((await operator.getStatus()).house).toEqual(house);
  });

  it("moves the fees of final swaps to the treasury, but not the fees of swaps that may be undone", async () => {
    const fill = async () => {
      const user = await w.createUser();
      await w.refreshRate();
      const order = await w.lock(user, "USDT", "100");
      w.usdt.deposit(order.fundingAddress, order.sourceAmount);
      w.usdt.mine(3);
      await w.scan("USDT");
      return order;
    };
    const readFees = async () => (await operator.getStatus()).fees.USDT;
    await fill();
    await w.settle();
    const before = await readFees();
    expect(Number(before.final)).toBeGreaterThan(0);
    expect(before.earned).toBe(before.final);

    const open = await fill();
    const { earned, final } = await readFees();
    expect(Number(earned)).toBeGreaterThan(Number(before.earned));
    expect(final).toBe(before.final);
    await expect(operator.takeFees("USDT", earned)).rejects.toThrow(`Only ${final} USDT of fees can be taken`);
    await expect(operator.takeFees("USDT", "-1")).rejects.toThrow("AMOUNT is not an amount of USDT");
    await operator.takeFees("USDT", "0.1");
    await operator.takeFees("USDT", null);
    expect((await readFees()).final).toBe("0");
    await expect(operator.takeFees("USDT", null)).rejects.toThrow("Only 0 USDT");

    // Undoes the fill, which takes back its fee.
    await operator.hold(open.id, "A question from the bank.");
    const { house } = await operator.getStatus();
    await operator.addFloat("USDT", `-${house.USDT}`);
    await expect(operator.refund(open.id)).rejects.toThrow(
      'treasury has insufficient balance: add funds and book them with "operate float".',
    );
    await operator.addFloat("USDT", house.USDT);
    await operator.refund(open.id);
    await w.settle();
    expect(await operator.checkBooks()).toEqual([]);
    expect(w.usdt.paid.filter(({ to }) => to === open.refundAddress)).toHaveLength(1);
  });

  it("pauses and resumes new swaps", async () => {
    const user = await w.createUser();
    await operator.turnOff("swaps", "Maintenance.");
    await expect(w.lock(user, "USDT", "100")).rejects.toMatchObject({ code: "swaps_stopped" });
    await operator.turnOn("swaps");
    await w.lock(user, "USDT", "100");
  });

  it("shows what stops new swaps apart from the switches", async () => {
    const block = (paymentBlockReason: string | null) =>
      database.db.update(chainStates).set({ paymentBlockReason }).where(eq(chainStates.asset, "USDT"));
    await w.refreshRate();
    await w.tick();
    expect((await operator.getStatus()).outage).toBeNull();
    await block("Tether has paused all USDT transfers.");
    await operator.turnOff("swaps", "Maintenance.");
    expect((await operator.getStatus()).outage).toMatch(/^USDT cannot be paid: Tether has paused all USDT transfers\./);
    await operator.turnOn("swaps");
    await block(null);
  });

  it("keeps every reason for a stop", async () => {
    await operator.turnOff("payments", "An unknown payment.");
    await operator.turnOff("payments", "The payout key may have leaked.");
    await operator.turnOff("payments", "An unknown payment.");
    expect((await operator.getStatus()).payments.reason).toBe("An unknown payment. The payout key may have leaked.");
    await operator.turnOn("payments");
    // A stop that would end automatically, dated back: the clocks of two processes differ by milliseconds.
    const at = new Date(Date.now() - 60_000);
    await switchOff(w.ctx.db, "payments", { cause: "undecided:USDT", reason: "USDT is missing.", at });
    await operator.turnOff("payments", "A question from the bank.");
    expect((await operator.getStatus()).payments.reason).toBe("USDT is missing. A question from the bank.");
    expect(await endCauses(w.ctx.db, "payments", ["undecided:USDT"])).toEqual(["USDT is missing."]);
    expect((await operator.getStatus()).payments.reason).toBe("A question from the bank.");
    expect(await operator.turnOn("payments")).toEqual(["A question from the bank."]);
    expect((await operator.getStatus()).payments.reason).toBeNull();
  });

  it("ends one cause by name, and refuses to end several if one of them would not be detected again", async () => {
    // Dated back, so that it is listed first: the clocks of two processes differ by milliseconds.
    const at = new Date(Date.now() - 60_000);
    const key = { cause: "funding-key:USDT", reason: "ETH_XPUB is wrong.", at };
    await switchOff(w.ctx.db, "swaps", key);
    await operator.turnOff("swaps", "Maintenance.");
    await expect(operator.turnOn("swaps")).rejects.toThrow(
      /funding-key:USDT may still apply.*"operate on swaps --all":\n {2}funding-key:USDT: ETH_XPUB is wrong\.\n {2}Maintenance\.$/,
    );
    await expect(operator.turnOn("swaps", { cause: "rate" })).rejects.toThrow(/^There is no such cause/);
    expect(await operator.turnOn("swaps", { cause: "Maintenance." })).toEqual(["Maintenance."]);
    expect((await operator.getStatus()).swaps.reason).toBe("ETH_XPUB is wrong.");
    expect(await operator.turnOn("swaps")).toEqual(["ETH_XPUB is wrong."]);
    await expect(operator.turnOn("swaps", { cause: "rate" })).rejects.toThrow("The swaps are not off.");

    await switchOff(w.ctx.db, "swaps", key);
    await operator.turnOff("swaps", "Maintenance.");
    expect((await operator.turnOn("swaps", "all")).sort()).toEqual(["ETH_XPUB is wrong.", "Maintenance."]);
    // What was missing is there again, so the alert has ended; the stop has not.
    await switchOff(w.ctx.db, "payments", { cause: "reserves:MOB", reason: "1 MOB is missing.", at });
    await operator.turnOff("payments", "A withdrawal.");
    expect(await operator.turnOn("payments")).toHaveLength(2);
  });

  it.each<[cause: string, isAlerted: boolean]>([
    ["books", true],
    ["deposit:1", true],
    ["reserves:USDT", true],
    ["funding-indexes:MOB", false],
    ["payment:1", false],
    ["rate", false],
  ])("ends a stop for %s only on its own while it may still be there", async (cause, isAlerted) => {
    const { db } = w.ctx;
    const stop = { reason: "Something is wrong.", at: new Date() };
    await switchOff(db, "payments", { cause, ...stop });
    await switchOff(db, "payments", { reason: "A withdrawal.", at: stop.at });
    if (isAlerted) await raiseAlert(db, w.ctx, { subject: cause as "books", ...stop, action: "Look." });
    await expect(operator.turnOn("payments")).rejects.toThrow(`${cause} may still apply`);
    await clearAlert(db, cause);
    if (isAlerted) expect(await operator.turnOn("payments")).toHaveLength(2);
    else expect(await operator.turnOn("payments", { cause })).toEqual([stop.reason]);
  });

  it("ends several stops at once if they would be detected again: an unexpected nonce, or unknown payments once none is left", async () => {
    const { db } = w.ctx;
    const at = new Date();
    const [usdt, mob] = ["unknown:USDT", "unknown:MOB"];
    const unknown = {
      asset: "USDT",
      hash: `0x${"ef56".repeat(16)}`,
      address: "somebody",
      amount: 7n,
      foundAt: at,
    } as const;
    await db.insert(unknownPayments).values(unknown);
    const stopFor = async (...causes: string[]) => {
      for (const cause of causes) await switchOff(db, "payments", { cause, reason: `${cause}.`, at });
    };
    await stopFor("nonce:USDT", mob);
    expect(await operator.turnOn("payments")).toHaveLength(2);
    await stopFor("nonce:USDT", usdt);
    await expect(operator.turnOn("payments")).rejects.toThrow(`${usdt} may still apply`);
    await operator.acceptPayment(unknown.hash, true);
    expect(await operator.turnOn("payments")).toHaveLength(2);
  });

  it("T87 says whose stop was ended, if another operator made it", async () => {
    const grace = await openOperator(setup, pino({ level: "silent" }), "grace");
    try {
      await grace.turnOff("swaps", "A  question from the bank.");
      const theirs = "A question from the bank. (switched off by grace)";
      expect(await operator.turnOn("swaps", { cause: "A question from the bank." })).toEqual([theirs]);
      expect((await operator.listActions()).at(-1)).toMatchObject({ command: "on", result: [`ended: ${theirs}`] });
      await grace.turnOff("payments", "A withdrawal.");
      await operator.turnOff("payments", "Another withdrawal.");
      await switchOff(w.ctx.db, "payments", { cause: "nonce:USDT", reason: "An unexpected nonce.", at: new Date() });
      expect((await operator.turnOn("payments", "all")).sort()).toEqual([
        "A withdrawal. (switched off by grace)",
        "An unexpected nonce.",
        "Another withdrawal.",
      ]);
      // The last operator who gave this reason, for this switch.
      await operator.turnOff("payments", "A withdrawal.");
      expect(await operator.turnOn("payments")).toEqual(["A withdrawal."]);
      await operator.turnOff("swaps", "Another withdrawal.");
      await grace.turnOff("payments", "Another withdrawal.");
      expect(await operator.turnOn("swaps")).toEqual(["Another withdrawal."]);
    } finally {
      await grace.close();
    }
  });

  it.each([" ", "\u200b", "a".repeat(501)])("refuses a reason that is empty, invisible or long: %j", async (reason) => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.tick();
    for (const run of [() => operator.turnOff("swaps", reason), () => operator.hold(order.id, reason)])
      await expect(run()).rejects.toThrow(new OperatorError("REASON must have 1 to 500 characters."));
    expect((await w.see(user, order.id)).status).toBe("confirming");
  });

  it("ends the alert about a transfer that is older than its order, and no other alert", async () => {
    const user = await w.createUser();
    const { id, quoteId, fundingAddress } = await w.lock(user, "USDT", "100");
    const hash = w.usdt.deposit(fundingAddress, 5_000_000n, { at: new Date(Date.now() - 3_600_000) });
    await w.tick();
    const waiting = async () => (await operator.getStatus()).waiting.map(({ subject }) => subject);
    expect(await waiting()).toEqual([`transfer:${hash}:0`]);
    const number = toOrderNumber(quoteId);
    expect((await operator.getStatus()).waiting).toMatchObject([{ order: id, number }]);
    await expect(operator.dismissTransfer("transfer:another")).rejects.toThrow(OperatorError);
    const other = { subject: "books", reason: "A fault.", action: "Look.", at: new Date() } as const;
    await raiseAlert(w.ctx.db, w.ctx, other);
    await expect(operator.dismissTransfer("books")).rejects.toThrow("There is no transfer books");
    await clearAlert(w.ctx.db, "books");
    expect((await operator.dismissTransfer(`transfer:${hash}:0`)).join()).toMatch(
      /^dismissed: 5 USDT arrived at \S+ before the order existed .*"operate float USDT AMOUNT"/,
    );
    expect(await waiting()).toEqual([]);
  });

  it("writes off the loss of a deposit, and nothing else", async () => {
    const order = await w.lock(await w.createUser(), "USDT", "100");
    const hash = w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.settle();
    const [deposit] = await w.ctx.db.select().from(deposits).where(eq(deposits.orderId, order.id));
    const id = deposit?.id ?? "";
    const status = async () => {
      const { house, waiting } = await operator.getStatus();
      return { treasury: Number(house.USDT), alerts: waiting.filter(({ subject }) => subject === `deposit:${id}`) };
    };
    const { treasury } = await status();
    await expect(operator.writeOff("no-such-deposit")).rejects.toThrow(/^There is no deposit no-such-deposit: check/);
    await expect(operator.writeOff(id)).rejects.toThrow(/^Deposit \S+ cannot be written off: either it is not missing/);
    w.usdt.reorgAway(hash);
    await w.tick();
    expect((await status()).alerts).toMatchObject([
      { order: order.id, action: expect.stringContaining(`"operate write-off ${id}"`) },
    ]);
    expect(await operator.writeOff(id)).toEqual([`order ${toOrderNumber(order.quoteId)} (${order.id}): completed`]);
    expect(await status()).toEqual({ treasury: treasury - 100, alerts: [] });
    await operator.turnOn("swaps");
  });

  it("says which payments are under way, so that an operator can wait for them", async () => {
    const underWay = async () => (await operator.getStatus()).underWay;
    await w.settle();
    const [usdt, mob] = await underWay();
    const add = (planned: number, sent: number) => [
      usdt,
      mob && { ...mob, planned: mob.planned + planned, sent: mob.sent + sent },
    ];
    const order = await w.lock(await w.createUser(), "USDT", "100");
    await operator.turnOff("payments", "A withdrawal.");
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    w.usdt.mine(3);
    await w.tick();
    expect(await underWay()).toEqual(add(1, 0));
    await operator.turnOn("payments");
    await w.pay("MOB");
    expect(await underWay()).toEqual(add(0, 1));
    await w.settle();
    expect(await underWay()).toEqual([usdt, mob]);
  });

  it("has no reserves to report before they are checked", async () => {
    expect(await operator.getReserves()).toEqual([]);
  });

  it.each<[what: string, inWallet: bigint, over: { shortSince?: Date; ageMs?: number }, report: object]>([
    ["enough", 60_000_000n, {}, { owned: "100", difference: "0", isShort: false, isRecent: true }],
    ["too little", 59_000_000n, {}, { owned: "99", difference: "-1", isShort: true }],
    ["too little without uncredited deposits", 60_000_000n, { shortSince: new Date() }, { isShort: true }],
    ["what was there a minute ago", 60_000_000n, { ageMs: 60_000 }, { isRecent: false }],
  ])("reports %s in the reserves", (_, inWallet, { shortSince = null, ageMs = 59_999 }, report) => {
    const now = new Date();
    const sides = { owed: 100_000_000n, uncollected: 40_000_000n, uncredited: 5_000_000n, inWallet };
    const since = { shortSince, unexplainedSince: null, surplusSince: null };
    const checkedAt = new Date(now.getTime() - ageMs);
    expect(toReserveReport(now)({ asset: "USDT", height: 7, ...sides, ...since, checkedAt })).toMatchObject({
      ...{ asset: "USDT", block: 7, owed: "100", fundingAddresses: "40", uncredited: "5" },
      ...report,
    });
  });

  it("names the first five orders that an unknown payment may be for, and says how many more there are", async () => {
    const { db } = w.ctx;
    const at = new Date();
    const unknown = { asset: "MOB", hash: "ef56".repeat(16), address: "an address of two people" } as const;
    for (const count of [4, 3]) {
      const user = await w.createUser({ MOB: unknown.address });
      for (let i = 0; i < count; i += 1) await w.lock(user, "USDT", "100");
    }
    await db.insert(unknownPayments).values({ ...unknown, amount: 0n, foundAt: at });
    const subject = `unknown:${unknown.hash}` as const;
    await raiseAlert(db, w.ctx, { subject, reason: "Our wallet has paid.", action: "Look.", at });
    await raiseAlert(db, w.ctx, { subject: "books", reason: "A fault.", action: "Look.", at });
    const { waiting } = await operator.getStatus();
    await clearAlert(db, "books");
    expect(waiting.find((one) => one.subject === "books")?.reason).toBe("A fault.");
    const alert = waiting.find((one) => one.subject === subject);
    const [list = "", more] =
      /for an order of that address: (.*) and (\d+) more\.$/.exec(alert?.reason ?? "")?.slice(1) ?? [];
    expect([list.split("), ").length, more]).toEqual([5, "2"]);
    expect(await operator.acceptPayment(unknown.hash, true)).toEqual([
      `accepted: an unknown amount of MOB to ${unknown.address}. Find the amount with "operate reserves", and book it with "operate float MOB -AMOUNT".`,
    ]);
  });

  it("lists what is at funding addresses with the path of each, until it is collected", async () => {
    const { readHoldings } = w.usdt;
    const collected = new Set<string>();
    w.usdt.readHoldings = async (addresses, height) => {
      const holdings = await readHoldings(addresses, height);
      for (const address of collected) holdings?.atAddresses.set(address, 0n);
      return holdings;
    };
    const order = await w.lock(await w.createUser(), "USDT", "100");
    const own = async () => (await operator.listDeposits()).filter((deposit) => deposit.order === order.id);
    expect(await own()).toEqual([]);
    for (const amount of [60_000_000n, 40_000_000n]) w.usdt.deposit(order.fundingAddress, amount);
    await w.settle();
    const index = /[0-9]+$/.exec(order.fundingAddress)?.[0];
    expect(await own()).toEqual([
      {
        address: order.fundingAddress,
        path: `m/44'/60'/0'/0/${index}`,
        amount: "100",
        order: order.id,
        number: toOrderNumber(order.quoteId),
      },
    ]);
    const setFirst = (change: Partial<typeof deposits.$inferInsert>) =>
      w.ctx.db
        .update(deposits)
        .set(change)
        .where(and(eq(deposits.orderId, order.id), eq(deposits.amount, 60_000_000n)));
    for (const change of [{ missingSince: new Date() }, { status: "failed" }] as const) {
      await setFirst(change);
      expect(await own()).toMatchObject([{ amount: "40" }]);
      await setFirst({ missingSince: null, status: "confirmed" });
    }
    const indexes = (await operator.listDeposits()).map(({ path }) => Number(path.split("/").at(-1)));
    expect(indexes.length).toBeGreaterThan(1);
    expect(indexes).toEqual(indexes.toSorted((a, b) => a - b));
    collected.add(order.fundingAddress);
    w.usdt.mine(10);
    await checkReserves(w.ctx, "USDT");
    expect(await own()).toEqual([]);
    w.usdt.readHoldings = readHoldings;
  });

  it("T85 reads the record of a deleted account by one of its orders, and every reading is stored with its operator and reason", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    await deleteWithRecord(user);
    const first = await operator.readRecord(toOrderNumber(order.quoteId), "Request 7 of the court.");
    expect(first).toMatchObject({
      account: user.accountId,
      details: { email: `${user.accountId.toLowerCase()}@example.org`, identity_checks: [], consents: [] },
      readings: [{ operator: "ada", reason: "Request 7 of the court." }],
    });
    expect(Date.parse(first.kept_until)).toBeGreaterThan(Date.parse(first.deleted_at));
    const grace = await openOperator(setup, log, "grace");
    try {
      const second = await grace.readRecord(user.accountId, "The same request.");
      expect(second.readings.map(({ operator, reason }) => [operator, reason])).toEqual([
        ["ada", "Request 7 of the court."],
        ["grace", "The same request."],
      ]);
    } finally {
      await grace.close();
    }
    expect((await operator.readRecord(order.id, "Again.")).account).toBe(user.accountId);
  });

  it("T85 cannot read a record with another secret, and the failed attempt is not stored as a reading", async () => {
    const user = await w.createUser();
    await deleteWithRecord(user);
    const { exchange } = setup;
    const stranger = await openOperator({ ...setup, exchange: { ...exchange, secret: "another secret" } }, log, "ada");
    try {
      await expect(stranger.readRecord(user.accountId, "A try.")).rejects.toThrow(/^The record was encrypted with/);
    } finally {
      await stranger.close();
    }
    const { readings } = await operator.readRecord(user.accountId, "A check.");
    expect(readings.map(({ reason }) => reason)).toEqual(["A check."]);
  });

  it("says why there is no record of an account", async () => {
    const user = await w.createUser();
    const read = (account: string) => operator.readRecord(account, "A check.").catch(({ message }: Error) => message);
    expect(await read("no-such-account")).toMatch(/^There is no account or order no-such-account: check ACCOUNT/);
    expect(await read(user.accountId)).toBe(
      `Account ${user.accountId} is not deleted, so there is no retained record of it.`,
    );
    await w.ctx.db.update(accounts).set({ deletedAt: new Date() }).where(eq(accounts.id, user.accountId));
    expect(await read(user.accountId)).toMatch(/^Nothing is kept about account/);
    await expect(operator.block(user.accountId)).rejects.toThrow(`There is no account ${user.accountId}`);
  });

  it("gets one sentence that names the wrong argument", async () => {
    const user = await w.createUser();
    const { id } = await w.lock(user, "USDT", "100");
    const held = await w.lock(user, "USDT", "100");
    w.usdt.deposit(held.fundingAddress, 100_000_000n);
    await w.tick();
    await operator.hold(held.id, "A check.");
    const refusals: [() => Promise<string[]>, RegExp][] = [
      [
        () => operator.hold("no-such-order", "A check."),
        /^There is no order no-such-order: check ORDER and DATABASE_URL\.$/,
      ],
      [() => operator.release("no-such-order"), /^There is no order no-such-order: check ORDER/],
      [() => operator.refund("no-such-order"), /^There is no order no-such-order: check ORDER/],
      [
        () => operator.hold(id, "A check."),
        new RegExp(
          `^Order ${id} cannot be put on hold: it has no deposit.* If it has no deposit, "operate block" puts it on hold`,
        ),
      ],
      [
        () => operator.hold(held.id, "Another check."),
        new RegExp(
          `^Order ${held.id} is on hold already: A check\\. To hold it for longer, give the same reason\\. To change`,
        ),
      ],
      [() => operator.release(id), new RegExp(`^Order ${id} is not on hold\\.$`)],
      [() => operator.refund(id), new RegExp(`^Order ${id} cannot be refunded: it is neither on hold nor waiting`)],
      [() => operator.markPaidOut("no-such-order", digits), /^There is no order no-such-order: check ORDER/],
      [() => operator.markPaid("no-such-payment", digits), /^There is no payment no-such-payment: check PAYMENT/],
      [() => operator.retryPayment("no-such-payment"), /^There is no payment no-such-payment: check PAYMENT/],
      [() => operator.addFloat("USDT", "1.0000001"), /^AMOUNT is not an amount of USDT/],
      [() => operator.addFloat("MOB", "many"), /^AMOUNT is not an amount of MOB/],
      [() => operator.addFloat("USDT", "0"), /^AMOUNT is not an amount of USDT/],
      [
        () => operator.addFloat("USDT", "-99999999999"),
        /^The treasury holds less than 99999999999 USDT: lower AMOUNT\. A loss larger than the treasury can be booked/,
      ],
    ];
    for (const [refusal, message] of refusals) {
      const error: unknown = await refusal().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(OperatorError);
      expect((error as OperatorError).message).toMatch(message);
    }
    expect(await operator.checkBooks()).toEqual([]);
  });
});

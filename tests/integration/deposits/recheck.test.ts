import { and, asc, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { clearAlert, listAlerts, raiseAlert } from "~/exchange.server/alerts/alerts";
import type { ChainTransfer } from "~/exchange.server/chains/gateway";
import { getFinalizedHeight } from "~/exchange.server/db/chain-state";
import { chainStates } from "~/exchange.server/db/schema/chains";
import { deposits } from "~/exchange.server/db/schema/deposits";
import { type OrderRow, orderEvents, orders } from "~/exchange.server/db/schema/orders";
import { payments, refundedDeposits } from "~/exchange.server/db/schema/payments";
import { recheckDeposits } from "~/exchange.server/deposits/rechecks/recheck-deposits";
import { reverseDeposit } from "~/exchange.server/deposits/rechecks/reverse-deposit";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { external, getBalance, heldFor, post, reservedFor, treasury } from "~/exchange.server/ledger/ledger";
import { holdOrder, releaseOrder } from "~/exchange.server/orders/holds/hold";
import { toReserveAmount } from "~/exchange.server/orders/order-price";
import { retakeReserve } from "~/exchange.server/orders/payouts-and-refunds/fill";
import { refundOrder } from "~/exchange.server/orders/payouts-and-refunds/refund";
import { lockOrderRow } from "~/exchange.server/orders/transition";
import { getSwitchedOff, switchOff } from "~/exchange.server/switches/switches";
import { forAllTests } from "../../support/for-tests";
import { openOrders, type User } from "../../support/orders-harness";
import { switchOn } from "../../support/switch-on";

const usdt = (amount: number) => BigInt(amount) * 1_000_000n;
const minute = 60_000;

const w = forAllTests(() => openOrders("PostgreSQL"));
let user: User;
beforeEach(async () => {
  user = await w.createUser();
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const { subject } of await listAlerts(w.ctx.db)) await clearAlert(w.ctx.db, subject);
  for (const name of ["payments", "swaps"] as const) await switchOn(w.ctx.db, name);
});

const now = () => w.ctx.clock.now(w.ctx.db);
/** Locks a quote for 100 USDT. Payments are stopped from then on. */
const lock = async () => {
  await switchOn(w.ctx.db, "payments");
  const order = await w.lock(user, "USDT", "100");
  await switchOff(w.ctx.db, "payments", { reason: "A test.", at: await now() });
  return order;
};
const confirm = async () => {
  w.usdt.mine(3);
  await w.tick();
};
const resume = async () => {
  await switchOn(w.ctx.db, "payments");
  await w.settle();
};
const read = async (id: string): Promise<OrderRow> => {
  const [row] = await w.ctx.db.select().from(orders).where(eq(orders.id, id));
  if (!row) throw new Error("the order is missing");
  return row;
};
const depositsOf = (id: string) =>
  w.ctx.db.select().from(deposits).where(eq(deposits.orderId, id)).orderBy(asc(deposits.createdAt), asc(deposits.id));
const firstOf = async (id: string) => {
  const [row] = await depositsOf(id);
  if (!row) throw new Error("the deposit is missing");
  return row;
};
/** The payouts, then the refunds. */
const openPaymentsOf = async (id: string) =>
  w.ctx.db
    .select({ purpose: payments.purpose, amount: payments.amount })
    .from(payments)
    .where(and(eq(payments.orderId, id), eq(payments.status, "planned")))
    .orderBy(payments.purpose, payments.amount);
const eventOf = async (id: string, kind: "deposit_reorged" | "refunded") => {
  const [row] = await w.ctx.db
    .select({ data: orderEvents.data })
    .from(orderEvents)
    .where(and(eq(orderEvents.orderId, id), eq(orderEvents.kind, kind)));
  return row?.data;
};
const reserved = (id: string) => getBalance(w.ctx.db, "MOB", reservedFor(id));
const refundsTo = ({ refundAddress }: OrderRow) =>
  w.usdt.paid.filter(({ to }) => to === refundAddress).map(({ amount }) => amount);

/** Credits deposits to an order, each in a block of its own. Returns their transaction hashes. */
async function deposit(order: OrderRow, amounts: number[]): Promise<string[]> {
  const hashes: string[] = [];
  for (const amount of amounts) {
    hashes.push(w.usdt.deposit(order.fundingAddress, usdt(amount)));
    await confirm();
  }
  return hashes;
}

/** Creates an order for 100 USDT with credited deposits. Its payments are planned but not signed. */
async function fund(...amounts: number[]) {
  const order = await lock();
  const [hash = ""] = await deposit(order, amounts);
  return { order, hash };
}

/** A reorg moves a deposit to another block. */
const move = async (order: OrderRow, amount: number, txHash: string, at?: Date) => {
  w.usdt.reorgAway(txHash);
  w.usdt.deposit(order.fundingAddress, usdt(amount), { txHash, ...(at && { at }) });
  await w.tick();
};
const release = (id: string) => w.ctx.db.transaction((tx) => releaseOrder(tx, w.ctx, id));
const hold = (id: string) => w.ctx.db.transaction((tx) => holdOrder(tx, w.ctx, id, { reason: "A check." }));
const refundHeld = (id: string) =>
  w.ctx.db.transaction(async (tx) =>
    refundOrder(tx, w.ctx, await lockOrderRow(tx, id), { by: "operator", at: await w.ctx.clock.now(tx) }),
  );
const mockRecheck = (change: Partial<ChainTransfer> | null | Error) => {
  const recheck = w.usdt.recheck.bind(w.usdt);
  return vi.spyOn(w.usdt, "recheck").mockImplementation(async (seen) => {
    const found = await recheck(seen);
    return found.map((one) => {
      if (change === null || change instanceof Error) return change;
      return one === null || one instanceof Error ? one : { ...one, ...change };
    });
  });
};

describe("looking up a credited deposit again", () => {
  const setFinal = (height: number | null) =>
    w.ctx.db.update(chainStates).set({ finalizedHeight: height }).where(eq(chainStates.asset, "USDT"));

  it("happens only while its block could still be removed, or while it is uncertain", async () => {
    const { order } = await fund(100);
    const { id, blockNumber } = await firstOf(order.id);
    const recheck = vi.spyOn(w.usdt, "recheck");
    const lookUps = async (final: number | null) => {
      recheck.mockClear();
      await setFinal(final);
      expect(await recheckDeposits(w.ctx, order.id)).toBe("funded");
      return recheck.mock.calls.length;
    };
    expect(await lookUps(blockNumber)).toBe(0);
    expect(await lookUps(blockNumber - 1)).toBe(1);
    expect(await lookUps(null)).toBe(1);
    for (const since of ["missingSince", "recheckSince"] as const) {
      await w.ctx.db
        .update(deposits)
        .set({ [since]: await now() })
        .where(eq(deposits.id, id));
      expect(await lookUps(blockNumber)).toBe(1);
      expect(await firstOf(order.id)).toMatchObject({ missingSince: null, recheckSince: null });
    }
  });

  it("happens once per block, unless the deposit itself is uncertain", async () => {
    const order = await lock();
    const txHash = w.usdt.deposit(order.fundingAddress, usdt(60));
    w.usdt.deposit(order.fundingAddress, usdt(40), { txHash, ordinal: 1 });
    await confirm();
    const recheck = vi.spyOn(w.usdt, "recheck");
    expect(await recheckDeposits(w.ctx, order.id)).toBe("funded");
    expect(recheck).toHaveBeenCalledTimes(1);
    await w.ctx.db
      .update(deposits)
      .set({ recheckSince: await now() })
      .where(eq(deposits.orderId, order.id));
    expect(await recheckDeposits(w.ctx, order.id)).toBe("funded");
    expect(recheck).toHaveBeenCalledTimes(3);
  });

  it("has no effect if the order has no deposit; before the chain is read, no height is final", async () => {
    const { id } = await lock();
    expect(await recheckDeposits(w.ctx, id)).toBe("funded");
    const undone = w.ctx.db.transaction(async (tx) => {
      await tx.delete(chainStates);
      expect(await getFinalizedHeight(tx, "USDT")).toBeNull();
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
  });

  it("changes nothing if the nodes do not respond, disagree, or report something else about the same block", async () => {
    const { order } = await fund(100);
    const before = await firstOf(order.id);
    for (const [change, message] of [
      [new Error("no receipt"), "no receipt"],
      [{ disputed: true }, "do not agree"],
      [{ amount: usdt(99) }, "something else"],
      [{ address: "somebody-else" }, "something else"],
    ] as const) {
      mockRecheck(change);
      await expect(recheckDeposits(w.ctx, order.id)).rejects.toThrow(message);
      vi.restoreAllMocks();
    }
    expect(await firstOf(order.id)).toEqual(before);
    expect(await listAlerts(w.ctx.db)).toEqual([]);
  });

  it("alerts an operator after ten minutes without a response", async () => {
    const { order } = await fund(100);
    const at = await now();
    mockRecheck(new Error("no receipt\n\nURL: https://node.example/v2/a-key"));
    vi.spyOn(w.ctx.clock, "now").mockResolvedValue(at);
    const alertsAfter = async (ms: number) => {
      await w.ctx.db
        .update(deposits)
        .set({ recheckSince: new Date(at.getTime() - ms) })
        .where(eq(deposits.orderId, order.id));
      await expect(recheckDeposits(w.ctx, order.id)).rejects.toThrow("no receipt");
      return listAlerts(w.ctx.db);
    };
    expect(await alertsAfter(10 * minute - 1)).toEqual([]);
    // A time in the future is left over from when the database's clock was ahead (T61).
    for (const ms of [10 * minute, -10 * minute]) {
      const [alert, ...others] = await alertsAfter(ms);
      expect(alert).toMatchObject({ reason: expect.stringContaining("on the chain: no receipt We keep trying.") });
      expect(others).toEqual([]);
      await clearAlert(w.ctx.db, `deposit:${(await firstOf(order.id)).id}`);
    }
  });

  it("moves it to its new block if it is deep enough there", async () => {
    const { order } = await fund(100);
    const { requiredConfirmations } = await firstOf(order.id);
    mockRecheck({ blockHash: "another", blockNumber: 900, blockLogIndex: 7, confirmations: requiredConfirmations });
    expect(await recheckDeposits(w.ctx, order.id)).toBe("funded");
    expect(await firstOf(order.id)).toMatchObject({
      status: "confirmed",
      blockHash: "another",
      blockNumber: 900,
      blockLogIndex: 7,
    });
  });

  it("keeps its alert if another process has moved it in the meantime", async () => {
    const { order } = await fund(100);
    const { id } = await firstOf(order.id);
    const at = await now();
    await w.ctx.db.update(deposits).set({ recheckSince: at }).where(eq(deposits.id, id));
    const alert = { orderId: order.id, reason: "A test.", action: "Do nothing.", at };
    await raiseAlert(w.ctx.db, w.ctx, { subject: `deposit:${id}`, ...alert });
    const recheck = w.usdt.recheck.bind(w.usdt);
    vi.spyOn(w.usdt, "recheck").mockImplementation(async (seen) => {
      const found = await recheck(seen);
      await w.ctx.db.update(deposits).set({ blockHash: "moved" }).where(eq(deposits.id, id));
      return found;
    });
    await recheckDeposits(w.ctx, order.id);
    expect(await listAlerts(w.ctx.db)).toMatchObject([{ subject: `deposit:${id}` }]);
  });
});

describe("a deposit that another process has just dropped", () => {
  it.each([
    ["its block", {}],
    ["another block, deep enough", { blockHash: "another", confirmations: 50 }],
  ])("is still looked for, even if this process has read that it is in %s (T50)", async (_what, change) => {
    const { order } = await fund(60);
    await w.ctx.db
      .update(deposits)
      .set({ recheckSince: await now() })
      .where(eq(deposits.orderId, order.id));
    const deposit = await firstOf(order.id);
    mockRecheck(change);
    const lookUp = async () => {
      const [found = null] = await w.usdt.recheck([deposit]);
      await w.ctx.db.transaction((tx) => reverseDeposit(tx, w.ctx, { deposit, found: null }));
      return found;
    };
    await recheckDeposits(w.ctx, order.id, { lookUp });
    expect(await firstOf(order.id)).toMatchObject({ status: "failed", recheckSince: expect.any(Date) });
    expect(await listAlerts(w.ctx.db)).toHaveLength(1);
    vi.restoreAllMocks();
    await confirm();
    expect(await firstOf(order.id)).toMatchObject({ status: "confirmed", recheckSince: null });
    expect(await listAlerts(w.ctx.db)).toEqual([]);
  });
});

describe("a deposit that a reorg removed (T50)", () => {
  it("is taken back if it went to someone else in its new block", async () => {
    const { order } = await fund(100);
    mockRecheck({ blockHash: "another", address: "somebody-else", confirmations: 50 });
    expect(await recheckDeposits(w.ctx, order.id)).toBe("reversed");
    expect(await firstOf(order.id)).toMatchObject({ status: "failed", creditedAt: null, confirmations: 0 });
    expect(await getBalance(w.ctx.db, "USDT", heldFor(order.id))).toBe(0n);
  });

  it("is taken back until it has its confirmations again, with its new amount and time", async () => {
    const { order } = await fund(100);
    const { requiredConfirmations } = await firstOf(order.id);
    const blockTime = new Date(Date.now() + minute);
    mockRecheck({ blockHash: "another", amount: usdt(70), confirmations: 50, blockTime });
    expect(await recheckDeposits(w.ctx, order.id)).toBe("reversed");
    expect(await firstOf(order.id)).toMatchObject({
      status: "pending",
      amount: usdt(70),
      blockTime,
      confirmations: requiredConfirmations - 1,
    });
  });

  it("is taken back once, and not if another process has changed it in the meantime", async () => {
    const { order } = await fund(100);
    const before = await firstOf(order.id);
    const reverse = (seen: typeof before) =>
      w.ctx.db.transaction((tx) => reverseDeposit(tx, w.ctx, { deposit: seen, found: null }));
    await reverse({ ...before, blockHash: "an older one" });
    expect(await firstOf(order.id)).toEqual(before);
    await reverse(before);
    const reversed = await firstOf(order.id);
    expect(reversed.status).toBe("failed");
    await reverse(before);
    expect(await firstOf(order.id)).toEqual(reversed);
    expect(await checkBooks(w.ctx.db)).toEqual([]);
  });

  it("is not taken back without the funds to undo its swap: an alert says so until it is found after all", async () => {
    const { order } = await fund(100);
    const amount = await getBalance(w.ctx.db, "USDT", treasury);
    const move = async (from: string, to: string) => {
      const transfers = [{ asset: "USDT" as const, from, to, amount, kind: "float" as const }];
      await post(w.ctx.db, { transfers, orderId: null, at: await now() });
    };
    await move(treasury, external);
    const spy = mockRecheck(null);
    await expect(recheckDeposits(w.ctx, order.id)).rejects.toThrow("insufficient balance");
    const reason = expect.stringContaining("A reorg removed a deposit of 100 USDT, but its swap cannot be undone");
    expect(await listAlerts(w.ctx.db)).toMatchObject([{ reason, action: expect.stringContaining("operate float") }]);
    spy.mockRestore();
    await w.tick();
    expect(await listAlerts(w.ctx.db)).toEqual([]);
    expect(await firstOf(order.id)).toMatchObject({ status: "confirmed", recheckSince: null });
    await move(external, treasury);
    await resume();
    expect((await read(order.id)).status).toBe("completed");
  });

  it("is not taken back once a payment was signed: then it is lost", async () => {
    const { order } = await fund(100);
    await resume();
    mockRecheck(null);
    expect(await recheckDeposits(w.ctx, order.id)).toBe("funded");
    const lost = await firstOf(order.id);
    expect(lost).toMatchObject({ status: "confirmed", missingSince: expect.any(Date), lostAmount: usdt(100) });
    expect(await recheckDeposits(w.ctx, order.id)).toBe("funded");
    expect(await firstOf(order.id)).toEqual(lost);
    expect(await eventOf(order.id, "deposit_reorged")).toMatchObject({ paid: true });
    const reason = "A reorg removed a deposit of 100 USDT that was already paid out.";
    expect(await listAlerts(w.ctx.db)).toMatchObject([{ reason, action: expect.stringContaining("write-off") }]);
    expect((await read(order.id)).status).toBe("completed");
  });

  it.each([
    ["that is being paid out", false],
    ["with a surplus that is planned to be refunded", true],
  ])(
    "is taken back from an order %s: the fill is undone, and the reserve is taken again",
    async (_what, withSurplus) => {
      const full = await reserved((await lock()).id);
      const { order, hash } = await fund(withSurplus ? 150 : 100);
      expect((await read(order.id)).status).toBe("paying_out");
      w.usdt.reorgAway(hash);
      expect(await recheckDeposits(w.ctx, order.id)).toBe("reversed");
      expect(await read(order.id)).toMatchObject({
        status: "awaiting_deposit",
        filledSource: null,
        filledTarget: null,
        filledFee: null,
        filledRate: null,
      });
      expect(await reserved(order.id)).toBe(full);
      expect(await openPaymentsOf(order.id)).toEqual([]);
      const withdrawn = await w.ctx.db
        .select({ lastError: payments.lastError })
        .from(payments)
        .where(eq(payments.orderId, order.id));
      const errors = new Set(withdrawn.map(({ lastError }) => lastError));
      expect(errors).toEqual(new Set(["a reorg removed the deposit"]));
    },
  );

  it.each([
    ["completed", "ok"],
    ["paying_out", "drop"],
  ] as const)(
    "is taken back from an order that is %s without it: only its refund is withdrawn",
    async (status, broadcast) => {
      const { order, hash } = await fund(100);
      w.mob.faults.broadcast = broadcast;
      await resume();
      expect((await read(order.id)).status).toBe(status);
      await switchOff(w.ctx.db, "payments", { reason: "A test.", at: await now() });
      const [second = ""] = await deposit(order, [20]);
      expect(await openPaymentsOf(order.id)).toEqual([{ purpose: "refund", amount: usdt(20) }]);
      w.usdt.reorgAway(second);
      expect(await recheckDeposits(w.ctx, order.id)).toBe("reversed");
      expect(await openPaymentsOf(order.id)).toEqual([]);
      expect(await listAlerts(w.ctx.db)).toMatchObject([
        { reason: expect.stringContaining("Nothing was paid with it") },
      ]);
      expect((await getSwitchedOff(w.ctx.db)).swaps).toBe(false);
      expect((await read(order.id)).status).toBe(status);
      expect(await checkBooks(w.ctx.db)).toEqual([]);
      // The deposit that was swapped.
      w.usdt.reorgAway(hash);
      await recheckDeposits(w.ctx, order.id);
      expect(await firstOf(order.id)).toMatchObject({ status: "confirmed", lostAmount: usdt(100) });
      w.mob.faults.broadcast = "ok";
    },
  );

  it("is taken back from an order that was paid late, without taking a reserve again", async () => {
    const order = await lock();
    w.wait(33 * minute);
    await w.tick();
    const hash = w.usdt.deposit(order.fundingAddress, usdt(100));
    await confirm();
    expect((await read(order.id)).status).toBe("needs_decision");
    w.usdt.reorgAway(hash);
    expect(await recheckDeposits(w.ctx, order.id)).toBe("reversed");
    expect((await read(order.id)).status).toBe("awaiting_deposit");
    expect(await reserved(order.id)).toBe(0n);
  });

  it("is taken back from an underpaid order, which waits for a deposit again", async () => {
    const { order, hash } = await fund(60);
    expect((await read(order.id)).status).toBe("needs_decision");
    w.usdt.reorgAway(hash);
    expect(await recheckDeposits(w.ctx, order.id)).toBe("reversed");
    expect(await read(order.id)).toMatchObject({ status: "awaiting_deposit", decisionReason: null });
  });

  it("is taken back from a refund, which returns what is left", async () => {
    const { order, hash } = await fund(30, 20);
    await w.decide(user, order.id, { choice: "refund" });
    w.usdt.reorgAway(hash);
    expect(await recheckDeposits(w.ctx, order.id)).toBe("reversed");
    expect((await read(order.id)).status).toBe("refunding");
    expect(await openPaymentsOf(order.id)).toEqual([{ purpose: "refund", amount: usdt(20) }]);
    await resume();
    expect((await read(order.id)).status).toBe("refunded");
    expect(refundsTo(order)).toEqual([usdt(20)]);
  });

  it("is taken back from a refund of this deposit alone, and the order ends without a payment", async () => {
    const { order, hash } = await fund(60);
    await w.decide(user, order.id, { choice: "refund" });
    w.usdt.reorgAway(hash);
    await recheckDeposits(w.ctx, order.id);
    expect((await read(order.id)).status).toBe("refunded");
    expect(await eventOf(order.id, "refunded")).toEqual({ nothing_sent: true });
  });

  it.each([
    ["is refunded once it has its confirmations there", true, [usdt(60)]],
    ["ends without a payment once it has left that block too", false, []],
  ])(
    "is taken back from a refund of this deposit alone if it is in another block: the order %s",
    async (_what, stays, refunds) => {
      const { order, hash } = await fund(60);
      await w.decide(user, order.id, { choice: "refund" });
      await move(order, 60, hash);
      expect((await read(order.id)).status).toBe("refunding");
      expect(await openPaymentsOf(order.id)).toEqual([]);
      if (!stays) w.usdt.reorgAway(hash);
      await confirm();
      await resume();
      expect((await read(order.id)).status).toBe("refunded");
      expect(refundsTo(order)).toEqual(refunds);
    },
  );

  it("is taken back from one of two refunds: the order is refunded only after the other one", async () => {
    const { order } = await fund(60);
    await w.decide(user, order.id, { choice: "refund" });
    // Nothing is added to a parked refund.
    await w.ctx.db
      .update(payments)
      .set({ parkedAt: await now() })
      .where(eq(payments.orderId, order.id));
    const second = w.usdt.deposit(order.fundingAddress, usdt(20));
    await confirm();
    expect(await openPaymentsOf(order.id)).toHaveLength(2);
    w.usdt.reorgAway(second);
    await recheckDeposits(w.ctx, order.id);
    expect((await read(order.id)).status).toBe("refunding");
    expect(await openPaymentsOf(order.id)).toEqual([{ purpose: "refund", amount: usdt(60) }]);
  });

  /** An order whose first refund is final and whose second one is planned, and the deposit of the second. */
  const refundInParts = async () => {
    const { order } = await fund(60);
    await w.decide(user, order.id, { choice: "refund" });
    const setParked = (parkedAt: Date | null, amount: bigint) =>
      w.ctx.db
        .update(payments)
        .set({ parkedAt })
        .where(and(eq(payments.orderId, order.id), eq(payments.amount, amount)));
    await setParked(await now(), usdt(60));
    const second = w.usdt.deposit(order.fundingAddress, usdt(20));
    await confirm();
    await setParked(null, usdt(60));
    await setParked(await now(), usdt(20));
    await resume();
    expect((await read(order.id)).status).toBe("refunding");
    expect(refundsTo(order)).toEqual([usdt(60)]);
    return { order, second };
  };
  const refundMailsTo = async ({ accountId }: User) => {
    const send = vi.spyOn(w.ctx.mail, "send");
    while ((await w.sendMail()) > 0);
    const mails = send.mock.calls.map(([mail]) => mail).filter(({ to }) => to.startsWith(accountId.toLowerCase()));
    return mails.map(({ subject }) => subject).filter((subject) => subject.includes("was refunded"));
  };

  it("is taken back from the last of two refunds: the owner is told about the other one, which was made", async () => {
    const { order, second } = await refundInParts();
    expect(await refundMailsTo(user)).toEqual([]);
    w.usdt.reorgAway(second);
    await recheckDeposits(w.ctx, order.id);
    expect((await read(order.id)).status).toBe("refunded");
    expect(await eventOf(order.id, "refunded")).toEqual({});
    expect(await refundMailsTo(user)).toEqual(["Your swap was refunded: 60.00 USDT"]);
  });

  it("is taken back from the last of two refunds during a hold: the owner is told when the hold ends", async () => {
    const { order, second } = await refundInParts();
    await hold(order.id);
    w.usdt.reorgAway(second);
    await recheckDeposits(w.ctx, order.id);
    expect(await read(order.id)).toMatchObject({ status: "on_hold", heldFrom: "refunding" });
    expect((await refundHeld(order.id)).status).toBe("refunded");
    expect(await eventOf(order.id, "refunded")).toEqual({});
    expect(await refundMailsTo(user)).toEqual(["Your swap was refunded: 60.00 USDT"]);
  });

  it("is taken back from the refund of a cancelled order, which returns what is left", async () => {
    const order = await lock();
    await w.cancel(order.id);
    const [, second = ""] = await deposit(order, [30, 20]);
    expect(await openPaymentsOf(order.id)).toEqual([{ purpose: "refund", amount: usdt(50) }]);
    w.usdt.reorgAway(second);
    await recheckDeposits(w.ctx, order.id);
    expect(await openPaymentsOf(order.id)).toEqual([{ purpose: "refund", amount: usdt(30) }]);
    await resume();
    expect((await read(order.id)).status).toBe("cancelled");
    expect(refundsTo(order)).toEqual([usdt(30)]);
  });

  it("is taken back from a refund that an operator chose: the order is refunded after another hold, not swapped", async () => {
    const { order, hash } = await fund(100);
    await hold(order.id);
    await refundHeld(order.id);
    await hold(order.id);
    await move(order, 100, hash);
    await release(order.id);
    expect((await read(order.id)).status).toBe("refunding");
    await confirm();
    await resume();
    expect(await read(order.id)).toMatchObject({ status: "refunded", decisionChoice: "refund" });
    expect(refundsTo(order)).toEqual([usdt(100)]);
  });

  it.each(["paying_out", "on_hold"])(
    "is taken back from a refund after the fill: an accepted price stands (%s)",
    async (status) => {
      const { order } = await fund(60);
      await w.decide(user, order.id, { choice: "accept" });
      const payout = await openPaymentsOf(order.id);
      if (status === "on_hold") await hold(order.id);
      const [, other = ""] = await deposit(order, [2, 1]);
      w.wait(33 * minute);
      w.usdt.reorgAway(other);
      expect(await recheckDeposits(w.ctx, order.id)).toBe("reversed");
      expect(await read(order.id)).toMatchObject({ status, decisionChoice: "accept", filledSource: usdt(60) });
      expect(await openPaymentsOf(order.id)).toEqual([...payout, { purpose: "refund", amount: usdt(2) }]);
      if (status === "on_hold") await release(order.id);
      await resume();
      expect((await read(order.id)).status).toBe("completed");
      expect(refundsTo(order)).toEqual([usdt(2)]);
    },
  );

  it.each([
    ["it has moved", "needs_decision", [100]],
    ["it has moved during a hold", "on_hold", [100]],
    ["it has left the chain, and another one is held", "needs_decision", [1, 100]],
  ])(
    "is taken back from an order whose payout has failed, which is only refunded: %s",
    async (_what, status, amounts) => {
      const order = await lock();
      w.mob.faults.blocked.add(order.deliveryAddress);
      const [hash = ""] = await deposit(order, amounts);
      await resume();
      if (status === "on_hold") await hold(order.id);
      w.mob.faults.blocked.clear();
      if (amounts.length === 1) await move(order, 100, hash);
      else w.usdt.reorgAway(hash);
      await confirm();
      expect(await read(order.id)).toMatchObject({ status, decisionReason: "payout_failed" });
      if (status === "on_hold") await release(order.id);
      await w.decide(user, order.id, { choice: "refund" });
      await w.settle();
      expect((await read(order.id)).status).toBe("refunded");
      expect(refundsTo(order)).toEqual([usdt(100)]);
    },
  );

  it("is taken back from an order whose payout has failed and that holds nothing else: the owner is not asked again", async () => {
    const order = await lock();
    w.mob.faults.blocked.add(order.deliveryAddress);
    const [hash = ""] = await deposit(order, [100]);
    await resume();
    w.mob.faults.blocked.clear();
    w.usdt.reorgAway(hash);
    await confirm();
    expect(await read(order.id)).toMatchObject({ status: "refunded", decisionChoice: "refund", decidedBy: "clock" });
    expect(refundsTo(order)).toEqual([]);
  });

  it("is taken back from an order whose owner was asked because it is late: the reserve is taken again if the new block is in time", async () => {
    const order = await lock();
    w.wait(31 * minute + 30_000);
    const inTime = await now();
    w.wait(minute);
    await w.tick();
    const [hash = ""] = await deposit(order, [100]);
    expect(await read(order.id)).toMatchObject({ status: "needs_decision", decisionReason: "late" });
    expect(await reserved(order.id)).toBe(0n);
    await move(order, 100, hash, inTime);
    expect((await read(order.id)).status).toBe("confirming");
    expect(await reserved(order.id)).toBe(toReserveAmount(order, w.ctx.config));
    await confirm();
    await resume();
    expect((await read(order.id)).status).toBe("completed");
  });

  it.each([
    ["refunding, with another deposit", [30, 20], "refunding", "refund", [{ purpose: "refund", amount: usdt(20) }]],
    ["refunding, without another deposit", [60], "refunding", "refund", []],
    ["paying out, with another deposit", [60, 40], "confirming", null, []],
  ] as const)(
    "is taken back from an order on hold that was %s",
    async (_what, amounts, heldFrom, decisionChoice, open) => {
      const { order, hash } = await fund(...amounts);
      if ((await read(order.id)).status === "needs_decision") await w.decide(user, order.id, { choice: "refund" });
      await hold(order.id);
      w.usdt.reorgAway(hash);
      await recheckDeposits(w.ctx, order.id);
      expect(await read(order.id)).toMatchObject({ status: "on_hold", heldFrom, decisionChoice, filledSource: null });
      expect(await openPaymentsOf(order.id)).toEqual(open);
      const isPayable = heldFrom === "confirming";
      expect(await reserved(order.id)).toBe(isPayable ? toReserveAmount(order, w.ctx.config) : 0n);
    },
  );
});

describe("an operator's refund of an order on hold", () => {
  it("waits for the refund that is already planned, without adding another one", async () => {
    const { order } = await fund(60);
    await w.decide(user, order.id, { choice: "refund" });
    await hold(order.id);
    expect((await refundHeld(order.id)).status).toBe("refunding");
    await resume();
    expect((await read(order.id)).status).toBe("refunded");
    expect(refundsTo(order)).toEqual([usdt(60)]);
  });

  it("is over at once if a reorg has left nothing", async () => {
    const { order, hash } = await fund(60);
    await hold(order.id);
    w.usdt.reorgAway(hash);
    await recheckDeposits(w.ctx, order.id);
    expect((await refundHeld(order.id)).status).toBe("refunded");
    expect(await eventOf(order.id, "refunded")).toEqual({ nothing_sent: true });
  });
});

describe("a refund that replaces the planned refund of a surplus", () => {
  const partsOf = async (id: string) => {
    const rows = await w.ctx.db
      .select({ amount: refundedDeposits.amount })
      .from(refundedDeposits)
      .innerJoin(payments, eq(payments.id, refundedDeposits.paymentId))
      .where(eq(payments.orderId, id))
      .orderBy(asc(refundedDeposits.amount));
    return rows.map(({ amount }) => amount);
  };

  it.each([
    ["part of the latest deposit", [60, 90]],
    ["all of the latest deposit", [100, 50]],
  ])("takes each deposit once: %s", async (_what, amounts) => {
    const { order } = await fund(...amounts);
    expect(await openPaymentsOf(order.id)).toContainEqual({ purpose: "refund", amount: usdt(50) });
    await hold(order.id);
    await refundHeld(order.id);
    expect(await openPaymentsOf(order.id)).toEqual([{ purpose: "refund", amount: usdt(150) }]);
    expect(await partsOf(order.id)).toEqual(amounts.map(usdt).sort((a, b) => Number(a - b)));
    const [payout] = await w.ctx.db
      .select({ lastError: payments.lastError })
      .from(payments)
      .where(and(eq(payments.orderId, order.id), eq(payments.purpose, "payout")));
    expect(payout).toEqual({ lastError: "the order was refunded while on hold" });
    await resume();
    expect(refundsTo(order)).toEqual([usdt(150)]);
  });
});

describe("a reserve that is taken again", () => {
  const move = async (from: string, to: string, amount: bigint) => {
    const at = await now();
    await w.ctx.db.transaction((tx) =>
      post(tx, { transfers: [{ asset: "MOB", from, to, amount, kind: "float" }], orderId: null, at }),
    );
  };

  const retake = async (order: OrderRow) => {
    const at = await now();
    await w.ctx.db.transaction((tx) => retakeReserve(tx, w.ctx, order, at));
  };

  it("takes only what is missing", async () => {
    const order = await lock();
    const full = toReserveAmount(order, w.ctx.config);
    await move(reservedFor(order.id), treasury, full / 4n);
    const drained = (await getBalance(w.ctx.db, "MOB", treasury)) - full / 4n;
    await move(treasury, external, drained);
    await retake(order);
    expect([await reserved(order.id), await getBalance(w.ctx.db, "MOB", treasury)]).toEqual([full, 0n]);
    await move(external, treasury, drained);
  });

  it("takes nothing without enough funds, and does not hide other failures", async () => {
    const order = await lock();
    const full = await reserved(order.id);
    await move(reservedFor(order.id), treasury, full);
    const drained = await getBalance(w.ctx.db, "MOB", treasury);
    await move(treasury, external, drained);
    await retake(order);
    expect(await reserved(order.id)).toBe(0n);
    await move(external, treasury, drained);

    const at = await now();
    const failing = w.ctx.db.transaction(async (tx) => {
      await tx.execute("alter table ledger_transfers rename to unwritable");
      await retakeReserve(tx, w.ctx, order, at);
    });
    await expect(failing).rejects.toThrow("ledger_transfers");
  });
});

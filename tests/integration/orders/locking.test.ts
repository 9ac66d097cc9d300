import { eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { revokeAccountSessions } from "~/exchange.server/accounts/end-sessions";
import { accounts, sessions } from "~/exchange.server/db/schema/accounts";
import { orders } from "~/exchange.server/db/schema/orders";
import { ExchangeError } from "~/exchange.server/errors";
import { newId } from "~/exchange.server/ids";
import { external, post, reservedFor, type Transfer, treasury } from "~/exchange.server/ledger/ledger";
import { readLiquidity } from "~/exchange.server/orders/liquidity";
import { acquireRowLocks, toIdempotentRequest, toKeyStatement } from "~/exchange.server/orders/locking/lock-inputs";
import { lockQuote } from "~/exchange.server/orders/locking/lock-quote";
import { toReserveAmount } from "~/exchange.server/orders/order-price";
import { checkWallet } from "~/exchange.server/payments/check-wallet";
import { deferred } from "../../support/deferred";
import { forAllTests } from "../../support/for-tests";
import { openOrders, type User } from "../../support/orders-harness";
import { untilBlocked } from "../../support/postgres";

const minute = 60_000;

const w = forAllTests(() => openOrders("PostgreSQL"));
let user: User;
let assigned = 0;
/** What happens once while the next lock is under way: after its checks, before its transaction. */
let meanwhile: (() => Promise<unknown>) | null = null;

beforeAll(async () => {
  const assign = w.usdt.assignFundingAddress;
  w.usdt.assignFundingAddress = async (order) => {
    assigned += 1;
    const happen = meanwhile;
    meanwhile = null;
    await happen?.();
    return assign(order);
  };
});
beforeEach(async () => {
  await w.tick();
  user = await w.createUser();
  meanwhile = null;
});

const quote = () => w.quote(user, "USDT", "100");
const lock = (quoteId: number, key: string = newId()) => w.lockQuote(user, quoteId, "USDT", key);
const ordersOf = (quoteId: number) => w.ctx.db.select().from(orders).where(eq(orders.quoteId, quoteId));
const requestOf = ({ own }: User) => ({ delivery_address_id: own.MOB.id, refund_address_id: own.ETH.id });
const toRequest = (quoteId: number, key: string) =>
  toIdempotentRequest(user.accountId, key, [quoteId, user.own.MOB.id, user.own.ETH.id]);

describe("the funds for a lock", () => {
  /** Lets the wallet send what is due to orders, plus this amount. */
  const leaveInWallet = async (amount: bigint) => {
    w.mob.faults.spendable = (await readLiquidity(w.ctx.db, "MOB", "")).obligations + amount;
    await checkWallet(w.ctx, "MOB");
  };
  /** Moves funds into or out of the treasury until it holds this amount. */
  const leaveInTreasury = async (amount: bigint) => {
    const { treasury: balance } = await readLiquidity(w.ctx.db, "MOB", "");
    const [from, to] = balance > amount ? [treasury, external] : [external, treasury];
    const moved = balance > amount ? balance - amount : amount - balance;
    const transfers = [{ asset: "MOB" as const, from, to, amount: moved, kind: "float" as const }];
    await w.ctx.db.transaction((tx) => post(tx, { transfers, orderId: null, at: new Date() }));
  };
  const plenty = 10n ** 18n;
  beforeEach(async () => {
    await leaveInTreasury(plenty);
    await leaveInWallet(plenty);
  });
  const shortage = { code: "liquidity", status: 503, retryAfterSeconds: 600 };

  it("may be the last that the wallet and the treasury have", async () => {
    const { id, ...price } = await quote();
    const reserve = toReserveAmount(price, w.ctx.config);
    await leaveInWallet(reserve);
    await leaveInTreasury(reserve);
    expect((await lock(id)).status).toBe("awaiting_deposit");
    expect(await readLiquidity(w.ctx.db, "MOB", "")).toMatchObject({ treasury: 0n, spendable: w.mob.faults.spendable });
  });

  it.each([
    ["wallet", leaveInWallet],
    ["treasury", leaveInTreasury],
  ])("are refused, and no funding address is used up, if the %s is one unit short", async (_, leave) => {
    await lock((await quote()).id);
    const { id, ...price } = await quote();
    await leave(toReserveAmount(price, w.ctx.config) - 1n);
    const before = assigned;
    await expect(lock(id)).rejects.toMatchObject(shortage);
    expect(assigned).toBe(before);
  });

  it("are refused if another customer's lock takes the rest of the wallet at the same moment", async () => {
    const { id, ...price } = await quote();
    await leaveInWallet(toReserveAmount(price, w.ctx.config) * 2n - 1n);
    const other = await w.createUser();
    meanwhile = () => w.lock(other, "USDT", "100");
    await expect(lock(id)).rejects.toMatchObject(shortage);
    expect(await ordersOf(id)).toEqual([]);
  });

  it("are refused if another customer's lock takes the rest of the treasury at the same moment", async () => {
    const { id, ...price } = await quote();
    await leaveInTreasury(toReserveAmount(price, w.ctx.config) * 2n - 1n);
    const other = await w.createUser();
    meanwhile = () => w.lock(other, "USDT", "100");
    await expect(lock(id)).rejects.toMatchObject(shortage);
    expect(await ordersOf(id)).toEqual([]);
  });

  describe("when something else is booked while a lock waits for the treasury", () => {
    const move = (from: string, to: string, amount: bigint, kind: Transfer["kind"]): Transfer => ({
      asset: "MOB",
      from,
      to,
      amount,
      kind,
    });
    const others = reservedFor("others");
    const lockDuring = async (id: number, ...transfers: Transfer[]) => {
      const posted = deferred();
      const awaited = deferred();
      const other = w.ctx.db.transaction(async (tx) => {
        await post(tx, { transfers, orderId: null, at: new Date() });
        posted.resolve();
        await awaited.promise;
      });
      await Promise.race([posted.promise, other]);
      const locking = lock(id);
      const outcome = Promise.allSettled([locking]);
      await Promise.race([untilBlocked(w.ctx.db), locking]).finally(awaited.resolve);
      await other;
      return (await outcome)[0];
    };
    let id: number;
    let reserve: bigint;
    beforeEach(async () => {
      const { id: quoteId, ...price } = await quote();
      id = quoteId;
      reserve = toReserveAmount(price, w.ctx.config);
    });
    const rejected = { status: "rejected", reason: shortage };

    it("count others' reserves", async () => {
      await leaveInWallet(2n * reserve - 1n);
      expect(await lockDuring(id, move(treasury, others, reserve, "reserve"))).toMatchObject(rejected);
      expect(await ordersOf(id)).toEqual([]);
    });

    it("count others' reserves even if funds were added at the same moment", async () => {
      await leaveInWallet(2n * reserve - 1n);
      const booked = [move(external, treasury, reserve, "float"), move(treasury, others, reserve, "reserve")];
      expect(await lockDuring(id, ...booked)).toMatchObject(rejected);
      expect(await ordersOf(id)).toEqual([]);
    });

    it("do not count funds that were taken out", async () => {
      await leaveInWallet(reserve);
      expect(await lockDuring(id, move(treasury, external, reserve, "float"))).toMatchObject({ status: "fulfilled" });
      expect(await ordersOf(id)).toMatchObject([{ status: "awaiting_deposit" }]);
    });

    it("are refused if the treasury then has less than the payout", async () => {
      await leaveInTreasury(reserve);
      expect(await lockDuring(id, move(treasury, external, 1n, "float"))).toMatchObject(rejected);
      expect(await ordersOf(id)).toEqual([]);
    });
  });

  it("are not reported as insufficient if the database fails", async () => {
    const { id } = await quote();
    await w.ctx.db.execute(sql`alter table ledger_transfers add constraint broken check (kind <> 'reserve') not valid`);
    const failure: unknown = await lock(id).catch((error: unknown) => error);
    await w.ctx.db.execute(sql`alter table ledger_transfers drop constraint broken`);
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toBeInstanceOf(ExchangeError);
    expect((await lock(id)).status).toBe("awaiting_deposit");
  });
});

describe("a request to lock a quote under an Idempotency-Key", () => {
  it("is refused while another process handles one under the same key", async () => {
    const [{ id }, { id: otherId }] = [await quote(), await quote()];
    const keys = { quoteId: otherId, deliveryId: user.own.MOB.id, refundId: user.own.ETH.id };
    const idempotent = toRequest(otherId, "in-flight");
    const taken = deferred();
    const released = deferred();
    const other = w.ctx.db.transaction(async (tx) => {
      await acquireRowLocks(tx, { ...keys, idempotent }, user);
      taken.resolve();
      await released.promise;
    });
    await Promise.race([taken.promise, other]);
    const refusal: unknown = await lock(id, "in-flight").catch((error: unknown) => error);
    released.resolve();
    await other;
    expect(refusal).toMatchObject({ code: "idempotency_in_flight", status: 409, retryAfterSeconds: 1 });
    expect((await lock(id, "in-flight")).quoteId).toBe(id);
  });

  it("returns the order that another process stored under the same key at the same moment", async () => {
    const stored = await w.lock(user, "USDT", "20");
    const { id: quoteId } = await quote();
    const request = toRequest(quoteId, "stored-meanwhile");
    meanwhile = async () => toKeyStatement(w.ctx.db, request, stored.id, await w.ctx.clock.now(w.ctx.db));
    const result = await lockQuote(w.ctx, {
      owner: user,
      quoteId,
      request: requestOf(user),
      idempotencyKey: "stored-meanwhile",
    });
    expect(result).toMatchObject({ order: { id: stored.id }, created: false });
    expect(await ordersOf(quoteId)).toEqual([]);
  });
});

describe("a quote", () => {
  it("cannot be locked once it has expired, whether or not it is marked as expired yet", async () => {
    const { id } = await quote();
    w.wait(w.ctx.config.quoteTtlMs + 1);
    await expect(lock(id)).rejects.toMatchObject({ code: "quote_expired" });
    await w.tick();
    await expect(lock(id)).rejects.toMatchObject({ code: "quote_expired" });
  });

  it("cannot be locked again after its order was cancelled", async () => {
    const order = await lock((await quote()).id);
    await w.cancel(order.id);
    await expect(lock(order.quoteId)).rejects.toMatchObject({ code: "quote_expired" });
  });

  it("cannot be locked again after its order was paid", async () => {
    const order = await lock((await quote()).id);
    w.usdt.deposit(order.fundingAddress, order.sourceAmount);
    await w.settle();
    await expect(lock(order.quoteId)).rejects.toMatchObject({ code: "quote_locked" });
  });

  it("cannot be locked if it is an offer for an order", async () => {
    const order = await lock((await quote()).id);
    w.wait(33 * minute);
    await w.tick();
    w.usdt.deposit(order.fundingAddress, order.sourceAmount);
    await w.settle();
    const offer = await w.offer(order.id);
    expect(offer).toMatchObject({ status: "open", offerForOrderId: order.id });
    await expect(lock(offer?.id ?? 0)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("an account that changes while its lock is under way", () => {
  const change = (values: Partial<typeof accounts.$inferInsert>) => async () => {
    await w.ctx.db.update(accounts).set(values).where(eq(accounts.id, user.accountId));
  };

  it("T27 gets no order by a session that has ended", async () => {
    const { id } = await quote();
    meanwhile = async () => revokeAccountSessions(w.ctx.db, user.accountId, await w.ctx.clock.now(w.ctx.db));
    await expect(lock(id)).rejects.toMatchObject({ code: "token_expired" });
    expect(await ordersOf(id)).toEqual([]);
  });

  it.each([
    ["blocked", { blockedAt: new Date() }, "user_inactive"],
    ["no longer verified", { kycStatus: "rejected" }, "kyc_required"],
  ] as const)("T64 gets no order if it is %s", async (_name, values, code) => {
    const { id } = await quote();
    meanwhile = change(values);
    await expect(lock(id)).rejects.toMatchObject({ code });
    expect(await ordersOf(id)).toEqual([]);
  });

  it("T31 is paid out later if it was recovered", async () => {
    const { id } = await quote();
    const until = new Date((await w.ctx.clock.now(w.ctx.db)).getTime() + 60 * minute);
    meanwhile = change({ payoutsWaitUntil: until });
    expect((await lock(id)).payoutNotBefore).toEqual(until);
  });

  it("T27 waits for a session that is ending", async () => {
    const { id } = await quote();
    const ended = deferred();
    const released = deferred();
    const ending = w.ctx.db.transaction(async (tx) => {
      await tx.update(sessions).set({ revokedAt: new Date() }).where(eq(sessions.id, user.sessionId));
      ended.resolve();
      await released.promise;
    });
    await Promise.race([ended.promise, ending]);
    const attempt = lock(id).catch((error: unknown) => error);
    try {
      await untilBlocked(w.ctx.db);
    } finally {
      released.resolve();
      await ending;
    }
    expect(await attempt).toMatchObject({ code: "token_expired" });
  });
});

describe("the payout of a locked quote", () => {
  const lockFor = async (payoutsWaitUntil: Date | null) => {
    await w.ctx.db.update(accounts).set({ payoutsWaitUntil }).where(eq(accounts.id, user.accountId));
    const { order } = await lockQuote(w.ctx, {
      owner: user,
      quoteId: (await quote()).id,
      request: requestOf(user),
      idempotencyKey: newId(),
    });
    return order;
  };

  it("waits as long as payouts to the account wait", async () => {
    const now = await w.ctx.clock.now(w.ctx.db);
    const until = new Date(now.getTime() + 60 * minute);
    expect((await lockFor(until)).payoutNotBefore).toEqual(until);
  });

  it("does not wait if payouts to the account do not wait, or no longer do", async () => {
    const now = await w.ctx.clock.now(w.ctx.db);
    expect((await lockFor(null)).payoutNotBefore).toBeNull();
    expect((await lockFor(new Date(now.getTime() - minute))).payoutNotBefore).toBeNull();
  });
});

describe("an order that was not paid in time", () => {
  const expire = async () => {
    const order = await w.lock(user, "USDT", "20");
    w.wait(w.ctx.config.lockTtlMs + w.ctx.config.graceMs + 1_000);
    await w.tick();
    expect((await w.see(user, order.id)).status).toBe("expired");
    return order;
  };

  it("cannot be cancelled", async () => {
    const order = await expire();
    await expect(w.cancel(order.id)).rejects.toMatchObject({
      code: "conflict",
      message: "The time to pay for this swap has ended, so there is nothing to cancel.",
    });
    expect((await w.see(user, order.id)).status).toBe("expired");
  });

  it("T43 makes the account wait for more than an hour after six others, and tells it how many hours are left", async () => {
    for (let waited = 1; waited <= 32; waited *= 2) {
      await expire();
      w.wait(waited * minute);
      await w.tick();
    }
    const { id } = await quote();
    await w.cancel((await lock(id)).id);
    await expire();
    const refusal = (wait: string) => ({ code: "rate_limited", message: expect.stringMatching(` in ${wait}\\.$`) });
    await expect(w.lock(user, "USDT", "20")).rejects.toMatchObject(refusal("2 hours"));
    w.wait(4 * minute + 5_000);
    await w.tick();
    await expect(w.lock(user, "USDT", "20")).rejects.toMatchObject(refusal("an hour"));
  });
});

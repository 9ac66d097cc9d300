import { and, asc, eq, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Database } from "~/exchange.server/db/database";
import { type OpenDatabase, openPostgres } from "~/exchange.server/db/open";
import { ledgerAccounts, ledgerTransfers } from "~/exchange.server/db/schema/ledger";
import { orders } from "~/exchange.server/db/schema/orders";
import { payments } from "~/exchange.server/db/schema/payments";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { createBookChecks } from "~/exchange.server/ledger/check-recent-books";
import {
  external,
  fees,
  getBalance,
  heldFor,
  InsufficientBalanceError,
  payableTo,
  post,
  reservedFor,
  selectFunds,
  type Transfer,
  treasury,
} from "~/exchange.server/ledger/ledger";
import type { AssetSymbol } from "~/lib/assets";
import { createTestContext } from "../../support/context";
import { deferred } from "../../support/deferred";
import { openBooks } from "../../support/open-books";
import { createOrdersHarness, type OrdersHarness } from "../../support/orders-harness";
import { createTestPostgres, untilBlocked } from "../../support/postgres";
import { openTestDatabase } from "../../support/test-database";

const at = new Date("2026-01-01T00:00:00Z");
const move = (from: string, to: string, amount: bigint, asset: AssetSymbol = "USDT"): Transfer => ({
  asset,
  from,
  to,
  amount,
  kind: "float",
});
const book = (tx: Database, ...transfers: Transfer[]) => post(tx, { transfers, orderId: null, at });
const readAccounts = async (db: Database) =>
  Object.fromEntries(
    (await db.select().from(ledgerAccounts)).map(({ asset, code, balance }) => [`${asset} ${code}`, balance]),
  );

describe("the ledger", () => {
  let database: OpenDatabase;
  let db: Database;
  beforeEach(async () => {
    database = await openTestDatabase("PostgreSQL");
    db = database.db;
  });
  afterEach(() => database.close());

  it("moves amounts between accounts and stores the transfers of one posting together", async () => {
    const swap: Transfer[] = [
      { ...move(external, heldFor("o"), 100n), kind: "deposit" },
      { ...move(heldFor("o"), treasury, 99n), kind: "swap_in" },
      { ...move(heldFor("o"), fees, 1n), kind: "swap_fee" },
      { ...move(external, treasury, 7n, "MOB"), kind: "float" },
    ];
    await post(db, { transfers: swap, orderId: "o", at });
    await book(db, move(treasury, external, 9n));
    expect(await readAccounts(db)).toEqual({
      "USDT external": -91n,
      "USDT treasury": 90n,
      "USDT fees": 1n,
      "MOB external": -7n,
      "MOB treasury": 7n,
    });
    const rows = await db.select().from(ledgerTransfers).orderBy(asc(ledgerTransfers.id));
    expect(rows.map(({ id: _, linkId: __, ...row }) => row)).toEqual([
      ...swap.map(({ from, to, ...rest }) => ({ ...rest, fromCode: from, toCode: to, orderId: "o", at })),
      { asset: "USDT", amount: 9n, kind: "float", fromCode: treasury, toCode: external, orderId: null, at },
    ]);
    expect(rows.map(({ linkId }) => linkId === rows[0]?.linkId)).toEqual([true, true, true, true, false]);
    expect(await checkBooks(db)).toEqual([]);
  });

  it("names the accounts of an order", () => {
    expect([external, treasury, fees]).toEqual(["external", "treasury", "fees"]);
    expect([heldFor("o"), reservedFor("o"), payableTo("o")]).toEqual(["held:o", "reserved:o", "payable:o"]);
  });

  it("skips transfers of 0", async () => {
    const noStatements = {} as Database;
    await book(noStatements, move(external, treasury, 0n));
    await book(db, move(external, treasury, 5n), move(treasury, fees, 0n));
    expect(await readAccounts(db)).toEqual({ "USDT external": -5n, "USDT treasury": 5n });
    expect(await db.$count(ledgerTransfers)).toBe(1);
  });

  it("refuses a negative amount", async () => {
    await book(db, move(external, treasury, 5n));
    await expect(book(db, move(treasury, external, -5n))).rejects.toThrow("a transfer must be positive");
    expect(await getBalance(db, "USDT", treasury)).toBe(5n);
  });

  it("has a balance of 0 for an account without transfers, and one for each asset", async () => {
    await book(db, move(external, treasury, 5n));
    await book(db, move(external, treasury, 6n, "MOB"), move(external, fees, 7n, "MOB"));
    expect(await getBalance(db, "USDT", treasury)).toBe(5n);
    expect(await getBalance(db, "MOB", treasury)).toBe(6n);
    expect(await getBalance(db, "MOB", fees)).toBe(7n);
    expect(await getBalance(db, "USDT", fees)).toBe(0n);
  });

  it("pays out everything in an account, and nothing more", async () => {
    await book(db, move(external, treasury, 5n), move(external, fees, 50n));
    await book(db, move(external, treasury, 50n, "MOB"));
    const tooMuch = db.transaction((tx) => book(tx, move(fees, external, 1n), move(treasury, external, 6n)));
    const error = await tooMuch.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(InsufficientBalanceError);
    expect(error).toMatchObject({
      name: "InsufficientBalanceError",
      account: treasury,
      message: "The USDT account treasury has insufficient balance",
    });
    expect(await getBalance(db, "USDT", fees)).toBe(50n);
    await book(db, move(treasury, external, 5n));
    expect(await getBalance(db, "USDT", treasury)).toBe(0n);
    expect(await db.$count(ledgerTransfers)).toBe(4);
  });

  it("keeps the total of what is reserved, even while the treasury itself does not change", async () => {
    const readFunds = async () => Object.fromEntries((await selectFunds(db)).map(({ asset, ...row }) => [asset, row]));
    await book(db, move(external, treasury, 100n), move(external, treasury, 50n, "MOB"));
    await book(db, move(treasury, reservedFor("a"), 30n), move(treasury, reservedFor("b"), 20n));
    await book(db, move(treasury, reservedFor("c"), 5n, "MOB"), move(external, heldFor("c"), 7n));
    expect(await readFunds()).toEqual({
      USDT: { treasury: 50n, obligations: 57n, total: 100n },
      MOB: { treasury: 45n, obligations: 5n, total: 50n },
    });
    // Spends all that is reserved, so that nothing goes back to the treasury.
    await book(db, move(reservedFor("a"), payableTo("a"), 30n));
    await book(db, move(reservedFor("b"), payableTo("b"), 15n), move(reservedFor("b"), treasury, 5n));
    expect((await readFunds()).USDT).toEqual({ treasury: 55n, obligations: 52n, total: 55n });
    await book(db, move(payableTo("a"), external, 30n), move(heldFor("c"), fees, 2n));
    expect((await readFunds()).USDT).toEqual({ treasury: 55n, obligations: 20n, total: 55n });
    expect(await checkBooks(db)).toEqual([]);
  });

  it("does not pay from an account that does not exist", async () => {
    await expect(book(db, move(heldFor("o"), external, 1n))).rejects.toBeInstanceOf(InsufficientBalanceError);
  });
});

describe("T66 two postings at the same time on PostgreSQL", () => {
  const open: OpenDatabase[] = [];
  afterAll(async () => {
    for (const database of open) await database.close();
  });
  const openPool = async () => {
    const database = await openPostgres(await createTestPostgres(), { poolSize: 5 });
    open.push(database);
    return database.db;
  };

  // The first posting holds an account that the second one needs, and then takes another account of the
  // second. It ends only if the second waits without having locked that account.
  it.each([
    {
      order: "by code",
      held: [move(external, fees, 1n)],
      second: [move(treasury, fees, 1n)],
      next: [move(treasury, payableTo("o"), 1n)],
    },
    {
      order: "by code, whichever way the amount moves",
      held: [move(external, fees, 1n)],
      second: [move(fees, treasury, 1n)],
      next: [move(treasury, payableTo("o"), 1n)],
    },
    {
      order: "by asset before code",
      held: [move(external, treasury, 1n, "MOB")],
      second: [move(fees, heldFor("o"), 1n), move(treasury, heldFor("o"), 1n, "MOB")],
      next: [move(fees, treasury, 1n)],
    },
    {
      order: "with external before all others",
      held: [move(external, treasury, 1n)],
      second: [move(treasury, fees, 1n, "MOB"), move(external, treasury, 1n)],
      next: [move(fees, treasury, 1n, "MOB")],
    },
  ])("lock accounts $order", async ({ held, second, next }) => {
    const db = await openPool();
    for (const asset of ["USDT", "MOB"] as const)
      await book(db, move(external, treasury, 10n, asset), move(external, fees, 10n, asset));
    let runs = 0;
    let waiting: Promise<void> | undefined;
    await db.transaction(async (tx) => {
      runs += 1;
      await book(tx, ...held);
      waiting ??= db.transaction(async (other) => {
        runs += 1;
        await book(other, ...second);
      });
      await untilBlocked(db);
      await book(tx, ...next);
    });
    await waiting;
    // A deadlock would have repeated one of them.
    expect(runs).toBe(2);
    expect(await checkBooks(db)).toEqual([]);
  });

  it("open the books once", async () => {
    const db = await openPool();
    const { ctx, fakes } = createTestContext({ db } as OpenDatabase);
    fakes.USDT.faults.spendable = 300n;
    fakes.MOB.faults.spendable = 500n;
    await Promise.all(Array.from({ length: 4 }, () => openBooks(ctx)));
    expect(await readAccounts(db)).toEqual({
      "USDT external": -300n,
      "USDT treasury": 300n,
      "MOB external": -500n,
      "MOB treasury": 500n,
    });
    const rows = await db.select().from(ledgerTransfers).orderBy(asc(ledgerTransfers.id));
    expect(rows.map(({ asset, kind, orderId }) => [asset, kind, orderId])).toEqual([
      ["USDT", "float", null],
      ["MOB", "float", null],
    ]);
  });
});

type CheckOfBooks = () => Promise<string[]>;

/** Late enough for every transfer of a test to count as committed. */
const later = () => new Date(Date.now() + 600_000);

async function checkChangesSinceNow(db: Database): Promise<CheckOfBooks> {
  const check = createBookChecks(db);
  expect(await check(new Date())).toEqual([]);
  return () => check(new Date());
}

describe.each([
  [
    "the books",
    async (db: Database): Promise<CheckOfBooks> =>
      () =>
        checkBooks(db),
  ],
  ["what has changed in the books", checkChangesSinceNow],
])("the check of %s", (_, prepareCheck) => {
  let database: OpenDatabase;
  let w: OrdersHarness;
  let check: CheckOfBooks;
  beforeEach(async () => {
    database = await openTestDatabase("PostgreSQL");
    w = await createOrdersHarness(database);
    check = await prepareCheck(database.db);
  });
  afterEach(() => database.close());

  /** A completed swap of 100 USDT, in books that balance. */
  async function swap() {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
    expect(await check()).toEqual([]);
    return order;
  }

  it("finds a balance that no transfer explains", async () => {
    await swap();
    const fee = await getBalance(database.db, "USDT", fees);
    await database.db
      .update(ledgerAccounts)
      .set({ balance: sql`${ledgerAccounts.balance} + 1` })
      .where(eq(ledgerAccounts.code, fees));
    expect(await check()).toEqual(
      expect.arrayContaining([
        "The USDT accounts sum to 1 instead of 0",
        `The USDT account fees is ${fee + 1n} but its transfers sum to ${fee}`,
      ]),
    );
  });

  it("finds a total of reserves that is not their sum", async () => {
    const user = await w.createUser();
    await w.lock(user, "USDT", "100");
    const [{ reserved } = { reserved: 0n }] = await database.db
      .update(ledgerAccounts)
      .set({ reserved: sql`${ledgerAccounts.reserved} + 1` })
      .where(and(eq(ledgerAccounts.code, treasury), eq(ledgerAccounts.asset, "MOB")))
      .returning({ reserved: ledgerAccounts.reserved });
    expect(await check()).toEqual([`The MOB total of reserves is ${reserved} but they sum to ${reserved - 1n}`]);
  });

  it("finds an account that is negative, other than external", async () => {
    await database.db.execute(sql`alter table ledger_accounts drop constraint ledger_accounts_not_negative`);
    await database.db.insert(ledgerAccounts).values({ asset: "MOB", code: fees, balance: -1n });
    expect(await check()).toContain("The MOB account fees is negative");
    expect(await check()).not.toContain("The MOB account external is negative");
  });

  it("finds a deposit that was credited and not booked, and one that was booked and not credited", async () => {
    const { id } = await swap();
    await post(database.db, { orderId: id, at, transfers: [{ ...move(external, heldFor(id), 5n), kind: "deposit" }] });
    expect(await check()).toEqual([`Order ${id}: credited 100000000 but the ledger has 100000005`]);
    const back: Transfer = { ...move(heldFor(id), external, 5n), kind: "deposit_reorged" };
    await post(database.db, { orderId: id, at, transfers: [back] });
    expect(await check()).toEqual([]);
  });

  it("finds a payment that was confirmed and not booked", async () => {
    const { id } = await swap();
    const [paid] = await database.db.select().from(payments).where(eq(payments.orderId, id));
    const amount = paid?.amount ?? 0n;
    await database.db
      .update(payments)
      .set({ amount: amount + 1n })
      .where(eq(payments.orderId, id));
    expect(await check()).toEqual([`Order ${id}: paid ${amount + 1n} MOB but the ledger has ${amount}`]);
  });

  it("finds a payment that was booked and is not confirmed", async () => {
    const { id } = await swap();
    const [paid] = await database.db
      .update(payments)
      .set({ status: "failed" })
      .where(eq(payments.orderId, id))
      .returning();
    expect(await check()).toEqual([`Order ${id}: paid 0 MOB but the ledger has ${paid?.amount}`]);
  });

  it("finds an amount owed without a payment, and a payment of an amount that is not owed", async () => {
    const { id } = await swap();
    await post(database.db, { orderId: id, at, transfers: [{ ...move(treasury, payableTo(id), 5n), kind: "refund" }] });
    expect(await check()).toEqual([`Order ${id}: owes 5 USDT but its open payments are 0`]);
    await post(database.db, {
      orderId: id,
      at,
      transfers: [{ ...move(payableTo(id), treasury, 5n), kind: "refund_undone" }],
    });
    expect(await check()).toEqual([]);
    const [paid] = await database.db.select().from(payments).where(eq(payments.orderId, id));
    if (!paid) throw new Error("the order has a payment");
    await database.db
      .insert(payments)
      .values({ ...paid, id: "another", purpose: "refund", status: "planned", nonce: null, hash: null });
    expect(await check()).toEqual([`Order ${id}: owes 0 MOB but its open payments are ${paid.amount}`]);
  });

  it("finds a reserve that is left for an order that is over", async () => {
    const user = await w.createUser();
    const { id, targetAmount } = await w.lock(user, "USDT", "100");
    const reserved = await getBalance(database.db, "MOB", reservedFor(id));
    expect(reserved).toBeGreaterThanOrEqual(targetAmount);
    expect(await check()).toEqual([]);
    await database.db.update(orders).set({ status: "expired" }).where(eq(orders.id, id));
    expect(await check()).toEqual([`Order ${id} is expired but reserved:${id} holds ${reserved} MOB`]);
  });
});

describe("the checks of what has changed", () => {
  let database: OpenDatabase;
  let w: OrdersHarness;
  beforeEach(async () => {
    database = await openTestDatabase("PostgreSQL");
    w = await createOrdersHarness(database);
  });
  afterEach(() => database.close());

  it("leave orders without changes to the check of everything, once a day", async () => {
    const user = await w.createUser();
    const check = createBookChecks(database.db);
    const start = later();
    expect(await check(start)).toEqual([]);
    const { id } = await w.lock(user, "USDT", "100");
    // This check still covers the order's lock; the change below adds no event, so the next check skips it.
    expect(await check(start)).toEqual([]);
    await database.db.update(orders).set({ status: "expired" }).where(eq(orders.id, id));
    expect(await check(start)).toEqual([]);
    const tomorrow = new Date(start.getTime() + 86_400_000);
    expect(await check(tomorrow)).toEqual([expect.stringContaining(`Order ${id} is expired but`)]);
    expect(await check(tomorrow), "again, until it is corrected").toHaveLength(1);
  });

  it("T61 check everything again after the clock, which was ahead at the last such check, was corrected", async () => {
    const user = await w.createUser();
    const { id } = await w.lock(user, "USDT", "100");
    const check = createBookChecks(database.db);
    const nextWeek = new Date(Date.now() + 7 * 86_400_000);
    expect(await check(nextWeek)).toEqual([]);
    await database.db.update(orders).set({ status: "expired" }).where(eq(orders.id, id));
    expect(await check(new Date())).toEqual([expect.stringContaining(`Order ${id} is expired but`)]);
  });

  it("do not read everything after new transfers, whether or not earlier ones may still commit", async () => {
    const check = createBookChecks(database.db);
    expect(await check(new Date())).toEqual([]);
    const statements = vi.spyOn(database.db, "execute");
    for (const now of [new Date(), later(), new Date(), later()]) {
      const transfers = [move(external, heldFor("an order"), 5n, "MOB"), move(external, treasury, 7n)];
      await post(database.db, { transfers, orderId: null, at: new Date() });
      statements.mockClear();
      expect(await check(now)).toEqual([]);
      expect(statements).toHaveBeenCalledTimes(2);
    }
  });

  it("find nothing in books without accounts", async () => {
    const empty = await openTestDatabase("PostgreSQL");
    const check = createBookChecks(empty.db);
    for (let checks = 0; checks < 2; checks += 1) expect(await check(new Date())).toEqual([]);
    await empty.close();
  });

  it("do not report a transaction that commits late as a fault", async () => {
    const check = createBookChecks(database.db);
    const posted = deferred();
    const released = deferred();
    const late = database.db.transaction(async (tx) => {
      await book(tx, move(external, heldFor("late"), 5n, "MOB"));
      posted.resolve();
      await released.promise;
    });
    await posted.promise;
    // Its transfer comes after the one that waits, and is visible first.
    await book(database.db, move(external, heldFor("early"), 7n, "USDT"));
    expect(await check(later())).toEqual([]);
    released.resolve();
    await late;
    expect(await check(later())).toEqual([]);
    await book(database.db, move(external, heldFor("after"), 9n, "MOB"));
    expect(await check(later())).toEqual([]);
  });
});

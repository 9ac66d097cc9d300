import { eq, sql } from "drizzle-orm";
import { expect } from "vitest";
import type { DecisionRequest, Order } from "~/api/contract";
import type { RunningContext } from "~/exchange.server/context";
import { type Database, queryRows } from "~/exchange.server/db/database";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { accounts } from "~/exchange.server/db/schema/accounts";
import { deliveryAddresses } from "~/exchange.server/db/schema/addresses";
import { scanChain } from "~/exchange.server/deposits/scan";
import { newId } from "~/exchange.server/ids";
import { takeDueSteps } from "~/exchange.server/jobs/due-steps";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { sendOutbox } from "~/exchange.server/mail/outbox";
import { cancelOrder } from "~/exchange.server/orders/cancel";
import { decide } from "~/exchange.server/orders/decisions/decide";
import { refreshOffer } from "~/exchange.server/orders/decisions/offers";
import { lockQuote } from "~/exchange.server/orders/locking/lock-quote";
import { getOwnOrder } from "~/exchange.server/orders/own-order";
import { toOrder } from "~/exchange.server/orders/views/order-view";
import { checkWallet } from "~/exchange.server/payments/check-wallet";
import { runPayments } from "~/exchange.server/payments/run-payments";
import { createQuote } from "~/exchange.server/pricing/quotes";
import { refreshRate } from "~/exchange.server/pricing/rates";
import type { AssetSymbol } from "~/lib/assets";
import { createTestContext, type TestContextOptions } from "./context";
import { openBooks } from "./open-books";
import { openTestSession } from "./open-test-session";
import { payIfDue } from "./pay-if-due";
import { openTestDatabase, type TestDatabase } from "./test-database";

export type Actions = ReturnType<typeof createActions>;

/** What users, the clock and the jobs do to an exchange. With another context, it stands for another process. */
function createActions(ctx: RunningContext) {
  const lock = async (user: User, quoteId: number, source: AssetSymbol, key: string) => {
    const idOf = (asset: AssetSymbol) => user.own[asset === "USDT" ? "ETH" : "MOB"].id;
    const target = source === "USDT" ? "MOB" : "USDT";
    const request = { delivery_address_id: idOf(target), refund_address_id: idOf(source) };
    const { order } = await lockQuote(ctx, {
      owner: user,
      quoteId,
      request,
      idempotencyKey: key,
    });
    return order;
  };
  return {
    quote: (user: User, source: AssetSymbol, amount: string) =>
      createQuote(ctx, user.accountId, {
        source_asset_symbol: source,
        target_asset_symbol: source === "USDT" ? "MOB" : "USDT",
        source_amount: amount,
      }),
    lockQuote: lock,
    decide: (user: User, orderId: string, request: DecisionRequest) => decide(ctx, user.accountId, orderId, request),
    offer: (orderId: string) => refreshOffer(ctx, orderId),
    cancel: (orderId: string) => cancelOrder(ctx, orderId),
    scan: (asset: AssetSymbol) => scanChain(ctx, asset),
    pay: (asset: AssetSymbol) => runPayments(ctx, asset),
    sendMail: () => sendOutbox(ctx),
    /**
     * Runs each job that moves orders once, then checks the books. A chain without payments is skipped, so its funds
     * are not merged either: call `pay` for that.
     */
    tick: async () => {
      await checkWallet(ctx, "USDT");
      await checkWallet(ctx, "MOB");
      for (const asset of ["USDT", "MOB"] as const) {
        await scanChain(ctx, asset);
        await payIfDue(ctx, asset);
      }
      await takeDueSteps(ctx);
      expect(await checkBooks(ctx.db), "the books balance after every event").toEqual([]);
    },
  };
}

export type User = {
  accountId: string;
  sessionId: string;
  own: Record<"MOB" | "ETH", { id: string; address: string }>;
};

/** The tables that change while anything is in progress. */
const moving = [
  "alerts",
  "consolidations",
  "deposits",
  "ledger_transfers",
  "order_events",
  "orders",
  "outbox",
  "payments",
];

/** Differs whenever a row of these tables was written or deleted since. */
async function readDigest(db: Database): Promise<string> {
  const parts = moving.map((table) => `(select count(*) || ':' || max(xmin::text::bigint) from ${table})`);
  return JSON.stringify(await queryRows(db, sql.raw(`select concat_ws(' ', ${parts.join(", ")})`)));
}

/** A slow machine may need more than 30 seconds for a test's steps. */
const recheckAfterMs = 10_000;

/** Quotes, orders and payments of an exchange on fake chains, where a test can force any sequence of events. */
export async function createOrdersHarness(database: OpenDatabase, options: TestContextOptions = {}) {
  const { ctx, fakes, advance, setRate } = createTestContext(database, options);
  const { USDT: usdt, MOB: mob } = fakes;
  const actions = createActions(ctx);

  await openBooks(ctx);
  await refreshRate(ctx);

  const createUser = async (addresses: { ETH?: string; MOB?: string } = {}): Promise<User> => {
    const accountId = newId();
    const created = await ctx.clock.now(ctx.db);
    await ctx.db.insert(accounts).values({
      id: accountId,
      email: `${accountId.toLowerCase()}@example.org`,
      emailVerifiedAt: created,
      kycStatus: "approved",
      createdAt: created,
    });
    const address = async (type: "MOB" | "ETH") => {
      const id = newId();
      const text = addresses[type] ?? `${type.toLowerCase()}-of-${accountId}`;
      await ctx.db
        .insert(deliveryAddresses)
        .values({ id, accountId, type, address: text, canonical: text, label: "", createdAt: created });
      return { id, address: text };
    };
    const own = { MOB: await address("MOB"), ETH: await address("ETH") };
    const sessionId = await openTestSession(ctx.db, accountId, created);
    return { accountId, sessionId, own };
  };

  /** When the chains were last checked, by the clock that no test moves. Null after a test has moved time. */
  let checkedAt: number | null = null;
  const tick = async () => {
    await actions.tick();
    checkedAt = performance.now();
  };
  await tick();
  /** Checks the chains, which count as unreachable after 30 seconds, unless a test has let more time pass. */
  const keepInReach = async () => {
    if (checkedAt === null || performance.now() - checkedAt < recheckAfterMs) return;
    for (const asset of ["USDT", "MOB"] as const) {
      await checkWallet(ctx, asset);
      await scanChain(ctx, asset);
    }
    checkedAt = performance.now();
  };

  const lock = async (user: User, source: AssetSymbol, amount: string) => {
    await keepInReach();
    const quote = await actions.quote(user, source, amount);
    return actions.lockQuote(user, quote.id, source, newId());
  };

  const see = async (user: User, orderId: string): Promise<Order> =>
    toOrder(ctx, await getOwnOrder(ctx.db, user.accountId, orderId));

  return {
    ...actions,
    ctx,
    usdt,
    mob,
    chains: fakes,
    createUser,
    /** The user with a new session: a restored backup ends all sessions. */
    signIn: async (user: User): Promise<User> => ({
      ...user,
      sessionId: await openTestSession(ctx.db, user.accountId, await ctx.clock.now(ctx.db)),
    }),
    lock,
    see,
    tick,
    /** What the same exchange does in a process with this context. */
    inProcess: createActions,
    /**
     * Mines until everything on the way has its confirmations and was followed: four times, or until a later tick than
     * the first changes nothing.
     */
    settle: async () => {
      let before = "";
      for (let i = 0; i < 4; i += 1) {
        usdt.mine(3);
        mob.mine(1);
        await tick();
        const after = await readDigest(ctx.db);
        if (after === before) return;
        before = after;
      }
    },
    /** Moves the clock of the database and of the chains. */
    wait: (ms: number) => {
      checkedAt = null;
      advance(ms);
      usdt.mine();
      mob.mine();
    },
    setRate: async (next: bigint) => {
      setRate(next);
      await refreshRate(ctx);
    },
    refreshRate: () => refreshRate(ctx),
    setKyc: (user: User, kycStatus: "approved" | "rejected") =>
      ctx.db.update(accounts).set({ kycStatus }).where(eq(accounts.id, user.accountId)),
    close: () => database.close(),
  };
}

/** The same on a database of its own. */
export async function openOrders(kind: TestDatabase, options: TestContextOptions = {}) {
  const database = await openTestDatabase(kind);
  try {
    return await createOrdersHarness(database, options);
  } catch (error) {
    await database.close();
    throw error;
  }
}

export type OrdersHarness = Awaited<ReturnType<typeof createOrdersHarness>>;

import { eq } from "drizzle-orm";
import { expect } from "vitest";
import type { DecisionRequest, Order } from "../../app/api/contract";
import { accounts } from "../../app/exchange.server/accounts/tables";
import { deliveryAddresses } from "../../app/exchange.server/addresses/tables";
import type { ExchangeContext } from "../../app/exchange.server/context";
import type { OpenDatabase } from "../../app/exchange.server/db/open";
import { newId } from "../../app/exchange.server/ids";
import { checkBooks } from "../../app/exchange.server/ledger/check-books";
import { openBooks } from "../../app/exchange.server/ledger/open-books";
import { sendOutbox } from "../../app/exchange.server/mail/outbox";
import {
  cancelOrder,
  expireOrders,
  refundOverdue,
  releaseStaleReserves,
} from "../../app/exchange.server/orders/deadlines";
import { decide, refreshOffer } from "../../app/exchange.server/orders/decisions";
import { lockQuote } from "../../app/exchange.server/orders/lock-quote";
import { toOrder } from "../../app/exchange.server/orders/order-view";
import { runPayments } from "../../app/exchange.server/orders/pay";
import { getOwnOrder } from "../../app/exchange.server/orders/queries";
import { checkWallet, scanChain } from "../../app/exchange.server/orders/scan";
import { createQuote, expireQuotes } from "../../app/exchange.server/quotes/quotes";
import { refreshRate } from "../../app/exchange.server/rates/rates";
import type { AssetSymbol } from "../../app/lib/assets";
import { createTestContext, type TestContextOptions } from "./context";

export type Actions = ReturnType<typeof createActions>;

/** What users, the clock and the jobs do to an exchange; over another context it is another process of it. */
function createActions(x: ExchangeContext) {
  const lock = async (user: User, quoteId: number, source: AssetSymbol, key: string) => {
    const idOf = (asset: AssetSymbol) => user.own[asset === "USDT" ? "ETH" : "MOB"].id;
    const target = source === "USDT" ? "MOB" : "USDT";
    const request = { delivery_address_id: idOf(target), refund_address_id: idOf(source) };
    const { order } = await lockQuote(x, { accountId: user.accountId, payoutsWaitUntil: null }, quoteId, request, key);
    return order;
  };
  return {
    quote: (user: User, source: AssetSymbol, amount: string) =>
      createQuote(x, user.accountId, {
        source_asset_symbol: source,
        target_asset_symbol: source === "USDT" ? "MOB" : "USDT",
        source_amount: amount,
      }),
    lockQuote: lock,
    decide: (user: User, orderId: string, request: DecisionRequest) =>
      decide(x, { accountId: user.accountId, mayTrade: true }, orderId, request),
    offer: (orderId: string) => refreshOffer(x, orderId),
    cancel: (orderId: string) => cancelOrder(x, orderId),
    scan: (asset: AssetSymbol) => scanChain(x, asset),
    pay: (asset: AssetSymbol) => runPayments(x, asset),
    sendMail: () => sendOutbox(x),
    /** Every job once. */
    tick: async () => {
      await checkWallet(x, "USDT");
      await checkWallet(x, "MOB");
      for (const asset of ["USDT", "MOB"] as const) {
        await scanChain(x, asset);
        await runPayments(x, asset);
      }
      await expireQuotes(x);
      await expireOrders(x);
      await refundOverdue(x);
      await releaseStaleReserves(x);
      expect(await checkBooks(x.db), "the books balance after every event").toEqual([]);
    },
  };
}

export type User = { accountId: string; own: Record<"MOB" | "ETH", { id: string; address: string }> };

/** The money half of an exchange over fake chains: every event forced, every order of events possible. */
export async function createOrdersWorld(database: OpenDatabase, options: TestContextOptions = {}) {
  const { x, fakes, advance, setRate } = createTestContext(database, options);
  const { USDT: usdt, MOB: mob } = fakes;
  const actions = createActions(x);
  const { tick } = actions;

  await openBooks(x);
  await refreshRate(x);
  await tick();

  const createUser = async (addresses: { ETH?: string; MOB?: string } = {}): Promise<User> => {
    const accountId = newId();
    const created = await x.clock.now(x.db);
    await x.db.insert(accounts).values({
      id: accountId,
      email: `${accountId.toLowerCase()}@example.org`,
      emailVerifiedAt: created,
      kycStatus: "approved",
      createdAt: created,
    });
    const address = async (type: "MOB" | "ETH") => {
      const id = newId();
      const text = addresses[type] ?? `${type.toLowerCase()}-of-${accountId}`;
      await x.db
        .insert(deliveryAddresses)
        .values({ id, accountId, type, address: text, canonical: text, label: "", createdAt: created });
      return { id, address: text };
    };
    const own = { MOB: await address("MOB"), ETH: await address("ETH") };
    return { accountId, own };
  };

  const lock = async (user: User, source: AssetSymbol, amount: string) => {
    const quote = await actions.quote(user, source, amount);
    return actions.lockQuote(user, quote.id, source, newId());
  };

  const see = async (user: User, orderId: string): Promise<Order> =>
    toOrder(x, await getOwnOrder(x.db, user.accountId, orderId));

  return {
    ...actions,
    x,
    usdt,
    mob,
    chains: fakes,
    createUser,
    lock,
    see,
    /** What the same world does in a process with this context. */
    inProcess: createActions,
    /** Mines until everything on the way has its confirmations and was followed. */
    settle: async () => {
      for (let i = 0; i < 4; i += 1) {
        usdt.mine(3);
        mob.mine(1);
        await tick();
      }
    },
    /** Moves the clock of the database and of the chains. */
    wait: (ms: number) => {
      advance(ms);
      usdt.mine();
      mob.mine();
    },
    setRate: async (next: bigint) => {
      setRate(next);
      await refreshRate(x);
    },
    refreshRate: () => refreshRate(x),
    setKyc: (user: User, kycStatus: "approved" | "rejected") =>
      x.db.update(accounts).set({ kycStatus }).where(eq(accounts.id, user.accountId)),
  };
}

export type OrdersWorld = Awaited<ReturnType<typeof createOrdersWorld>>;

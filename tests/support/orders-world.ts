import { eq } from "drizzle-orm";
import pino from "pino";
import { expect } from "vitest";
import type { DecisionRequest, Order } from "../../app/api/contract";
import { accounts } from "../../app/exchange.server/accounts/tables";
import { deliveryAddresses } from "../../app/exchange.server/addresses/tables";
import type { ChainGateway } from "../../app/exchange.server/chains/gateway";
import type { ExchangeConfig, ExchangeContext } from "../../app/exchange.server/context";
import { createClock } from "../../app/exchange.server/db/clock";
import type { OpenDatabase } from "../../app/exchange.server/db/open";
import { newId } from "../../app/exchange.server/ids";
import { checkBooks } from "../../app/exchange.server/ledger/check-books";
import { openBooks } from "../../app/exchange.server/ledger/open-books";
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
import { createFakeChain } from "./fake-chain";
import { testConfig } from "./test-config";

/** The money half of an exchange over fake chains: every event forced, every order of events possible. */
export async function createOrdersWorld(
  database: OpenDatabase,
  options: { config?: Partial<ExchangeConfig>; chains?: Record<AssetSymbol, ChainGateway> } = {},
) {
  let offsetMs = 0;
  let rate = 350_000_000_000n;
  const now = () => Date.now() + offsetMs;
  const usdt = createFakeChain("USDT", { confirmations: 3, now, nonces: true, tellsTime: true });
  const mob = createFakeChain("MOB", { confirmations: 1, now, nonces: false, tellsTime: false });
  const fakes = { USDT: usdt, MOB: mob };
  const chains: Record<AssetSymbol, ChainGateway> = options.chains ?? fakes;
  const x: ExchangeContext = {
    db: database.db,
    clock: createClock(() => offsetMs),
    log: pino({ level: "silent" }),
    config: { ...testConfig, ...options.config },
    chains,
    mail: { send: async () => undefined },
    kyc: {
      name: "none",
      submit: async () => undefined,
      getDecision: async () => null,
      parseWebhook: () => {
        throw new Error("no webhooks here");
      },
    },
    rateSource: { getRate: async () => ({ rate, at: new Date(now()) }) },
    forbiddenDeliveryAddresses: [],
  };

  const tick = async () => {
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
  };

  await openBooks(x);
  await refreshRate(x);
  await tick();

  const createUser = async (addresses: { ETH?: string; MOB?: string } = {}) => {
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
  type User = Awaited<ReturnType<typeof createUser>>;

  const lock = async (user: User, source: AssetSymbol, amount: string, key = newId()) => {
    const target = source === "USDT" ? "MOB" : "USDT";
    const quote = await createQuote(x, user.accountId, {
      source_asset_symbol: source,
      target_asset_symbol: target,
      source_amount: amount,
    });
    const addressFor = (asset: AssetSymbol) => user.own[asset === "USDT" ? "ETH" : "MOB"].id;
    const { order } = await lockQuote(
      x,
      { accountId: user.accountId, payoutsWaitUntil: null },
      quote.id,
      { delivery_address_id: addressFor(target), refund_address_id: addressFor(source) },
      key,
    );
    return order;
  };

  const see = async (user: User, orderId: string): Promise<Order> =>
    toOrder(x, await getOwnOrder(x.db, user.accountId, orderId));

  return {
    x,
    usdt,
    mob,
    chains: fakes,
    tick,
    createUser,
    lock,
    see,
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
      offsetMs += ms;
      usdt.mine();
      mob.mine();
    },
    setRate: async (next: bigint) => {
      rate = next;
      await refreshRate(x);
    },
    refreshRate: () => refreshRate(x),
    decide: (user: User, orderId: string, request: DecisionRequest) =>
      decide(x, { accountId: user.accountId, mayTrade: true }, orderId, request),
    offer: (orderId: string) => refreshOffer(x, orderId),
    cancel: (orderId: string) => cancelOrder(x, orderId),
    setKyc: (user: User, kycStatus: "approved" | "rejected") =>
      x.db.update(accounts).set({ kycStatus }).where(eq(accounts.id, user.accountId)),
  };
}

export type OrdersWorld = Awaited<ReturnType<typeof createOrdersWorld>>;

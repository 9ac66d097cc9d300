import { and, asc, eq } from "drizzle-orm";
import pino from "pino";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import { orderEvents } from "~/exchange.server/db/schema/orders";
import { payments } from "~/exchange.server/db/schema/payments";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import type { AssetSymbol } from "~/lib/assets";
import { createOrdersHarness, type User } from "../../support/orders-harness";
import { openTestDatabase } from "../../support/test-database";

/** An exchange on PostgreSQL, whose payments a test makes step by step. */
export async function createPaymentsHarness() {
  const database = await openTestDatabase("PostgreSQL");
  /** What was logged as an error. */
  const errors: Record<string, unknown>[] = [];
  const log = pino({ level: "error" }, { write: (line) => errors.push(JSON.parse(line)) });
  const w = await createOrdersHarness(database, { log });
  const { db } = w.ctx;
  return {
    ...w,
    errors,
    close: () => database.close(),
    checkBooks: () => checkBooks(db),
    /** An order whose payout of an asset is planned; of a new customer if there is no `owner`. */
    planPayout: async (asset: AssetSymbol, owner?: User) => {
      const source = asset === "USDT" ? "MOB" : "USDT";
      const user = owner ?? (await w.createUser());
      await w.refreshRate();
      for (const symbol of ["USDT", "MOB"] as const) await w.scan(symbol);
      const order = await w.lock(user, source, "100");
      w.chains[source].deposit(order.fundingAddress, order.sourceAmount);
      w.chains[source].mine(3);
      await w.scan(source);
      return { ...order, user };
    },
    /** Runs the payment job every so many milliseconds. */
    payEvery: async (ms: number, asset: AssetSymbol, times: number) => {
      for (let run = 0; run < times; run += 1) {
        await w.pay(asset);
        w.wait(ms);
      }
    },
    /** The payments of an order, oldest first. */
    queryRows: ({ id }: { id: string }) =>
      db.select().from(payments).where(eq(payments.orderId, id)).orderBy(asc(payments.createdAt), asc(payments.nonce)),
    eventsOf: ({ id }: { id: string }, kind: typeof orderEvents.$inferSelect.kind) =>
      db
        .select()
        .from(orderEvents)
        .where(and(eq(orderEvents.orderId, id), eq(orderEvents.kind, kind))),
    alertsOf: async ({ id }: { id: string }) => (await listAlerts(db)).filter(({ orderId }) => orderId === id),
    paidTo: (address: string) => [...w.usdt.paid, ...w.mob.paid].filter(({ to }) => to === address),
  };
}

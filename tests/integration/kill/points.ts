import { and, eq, or, sql } from "drizzle-orm";
import type { ChainGateway } from "~/exchange.server/chains/gateway";
import { type Database, queryRows } from "~/exchange.server/db/database";
import { payments } from "~/exchange.server/db/schema/payments";
import { type AssetSymbol, assetSymbols } from "~/lib/assets";
import { withSession } from "../../support/with-session";

/*
 * The points at which a process can be killed, by name: before and after every commit that changes a
 * payment, and before and after every call to a chain on its behalf.
 */

const moments = [
  ...["planned", "prepared", "sent", "confirmed"].flatMap((status) => [
    `before the commit that makes it ${status}`,
    `after the commit that makes it ${status}`,
  ]),
  "before it is signed",
  "signed but not stored",
  "before it is broadcast",
  "broadcast but not recorded",
  "in a block but not booked",
] as const;
const purposes = ["payout", "refund"] as const;

const toName = (asset: AssetSymbol, purpose: string, moment: string) => `${asset} ${purpose}: ${moment}`;

/** Payouts and refunds on both chains, 13 points each. */
export const pointNames: string[] = assetSymbols.flatMap((asset) =>
  purposes.flatMap((purpose) => moments.map((moment) => toName(asset, purpose, moment))),
);

/** Called with the names of the points that are reached at the same moment. */
type Reach = (names: string[]) => Promise<void>;

type Session = { transaction(work: (tx: Database) => Promise<unknown>, config?: unknown): Promise<unknown> };

/** The same database, which reports every commit that changes payments. Requires PostgreSQL. */
export function reportCommits(db: Database, reach: Reach): Database {
  const session = db._.session as unknown as Session;
  const reporting = new Proxy(session, {
    get(target, name) {
      if (name !== "transaction") {
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      }
      return async (work: (tx: Database) => Promise<unknown>, config?: unknown) => {
        let changed: { asset: AssetSymbol; purpose: string; status: string }[] = [];
        const report = (when: string) =>
          reach(changed.map(({ asset, purpose, status }) => toName(asset, purpose, `${when} ${status}`)));
        const result = await target.transaction(async (tx) => {
          const value = await work(tx);
          changed = await queryRows(
            tx,
            sql`select distinct asset, purpose, status from payments where xmin = pg_current_xact_id()::xid`,
          );
          await report("before the commit that makes it");
          return value;
        }, config);
        await report("after the commit that makes it");
        return result;
      };
    },
  });
  return withSession(db, reporting);
}

/** The same chain, which reports every call on behalf of a payment. */
export function reportCalls(
  chain: ChainGateway,
  { asset, db, reach }: { asset: AssetSymbol; db: Database; reach: Reach },
): ChainGateway {
  const report = async (payment: { id?: string; hash?: string }, moment: string) => {
    const condition = or(eq(payments.id, payment.id ?? ""), eq(payments.hash, payment.hash ?? ""));
    const rows = await db
      .select({ purpose: payments.purpose })
      .from(payments)
      .where(and(eq(payments.asset, asset), condition));
    await reach(rows.map(({ purpose }) => toName(asset, purpose, moment)));
  };
  return {
    ...chain,
    async preparePayment(request) {
      await report({ id: request.paymentId }, "before it is signed");
      const prepared = await chain.preparePayment(request);
      await report({ id: request.paymentId }, "signed but not stored");
      return prepared;
    },
    async broadcast(payment) {
      await report({ hash: payment.hash }, "before it is broadcast");
      await chain.broadcast(payment);
      await report({ hash: payment.hash }, "broadcast but not recorded");
    },
    async getPaymentState(payment) {
      const state = await chain.getPaymentState(payment);
      if (state.kind === "in_block") await report({ hash: payment.hash }, "in a block but not booked");
      return state;
    },
  };
}

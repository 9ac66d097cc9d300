import { and, eq, notInArray, or, sql } from "drizzle-orm";
import type { DeletionBlocker } from "../../api/contract";
import { toOrderNumber } from "../../lib/order-number";
import { getRecoveryHold } from "../accounts/recovery-hold";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { accounts } from "../db/schema/accounts";
import { deposits } from "../db/schema/deposits";
import { orders } from "../db/schema/orders";
import { isOpenPayment, payments } from "../db/schema/payments";

/** Closed orders, which may still have money on its way: a late deposit, or its refund. */
const closed = ["completed", "refunded", "expired", "cancelled"] as const;

/** The most swaps to list in a refusal. */
const maxListed = 20;

/**
 * Why an account cannot be deleted now: swaps that are open or have money on its way, or a recent recovery, after
 * which the owner still has time to stop an attacker (T73). Empty if the account can be deleted.
 */
export async function findDeletionBlockers(
  db: Database,
  ctx: ExchangeContext,
  accountId: string,
): Promise<DeletionBlocker[]> {
  const now = await ctx.clock.now(db);
  const [account] = await db.select().from(accounts).where(eq(accounts.id, accountId));
  const recoveryHold = account ? getRecoveryHold(account, now) : null;
  const busy = await db
    .select({ quoteId: orders.quoteId })
    .from(orders)
    .where(
      and(
        eq(orders.accountId, accountId),
        or(
          notInArray(orders.status, [...closed]),
          sql`exists (select 1 from ${deposits} where ${deposits.orderId} = ${orders.id} and ${eq(deposits.status, "pending")})`,
          sql`exists (select 1 from ${payments} where ${payments.orderId} = ${orders.id} and ${isOpenPayment})`,
        ),
      ),
    )
    .orderBy(orders.createdAt)
    .limit(maxListed);
  return [
    ...busy.map(({ quoteId }) => ({
      reason: "open_swap" as const,
      quote_id: quoteId,
      order_number: toOrderNumber(quoteId),
    })),
    ...(recoveryHold ? [{ reason: "recovered" as const, until: recoveryHold.toISOString() }] : []),
  ];
}

import { and, eq, max, sql } from "drizzle-orm";
import { addMs, laterOf } from "../../../lib/durations";
import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import { accounts } from "../../db/schema/accounts";
import { deliveryAddresses } from "../../db/schema/addresses";
import { type OrderRow, orderEvents } from "../../db/schema/orders";

type Destination = { order: Pick<OrderRow, "id" | "accountId">; address: string; at: Date };

/**
 * Until when a payment waits after an operator has given it another address: someone other than the owner may have saved
 * the address a moment ago, or taken over the account (T31). Null if it does not have to wait.
 */
export async function getReaddressWait(
  tx: Database,
  ctx: ExchangeContext,
  { order: { accountId }, address, at }: Destination,
): Promise<Date | null> {
  const [account] = await tx
    .select({ until: accounts.payoutsWaitUntil })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  const [saved] = await tx
    .select({ at: max(deliveryAddresses.createdAt) })
    .from(deliveryAddresses)
    .where(and(eq(deliveryAddresses.accountId, accountId), eq(deliveryAddresses.address, address)));
  const knownFrom = saved?.at ? addMs(saved.at, ctx.config.recoveryHoldMs) : null;
  const until = laterOf(account?.until ?? null, knownFrom);
  return until !== null && until > at ? until : null;
}

/**
 * Like `getReaddressWait`, for a payment to any address. Null, too, if no operator gave this address to a
 * payment of the order.
 */
export async function getWaitIfReaddressed(
  tx: Database,
  ctx: ExchangeContext,
  destination: Destination,
): Promise<Date | null> {
  const { order, address } = destination;
  const [event] = await tx
    .select({ id: orderEvents.id })
    .from(orderEvents)
    .where(
      and(
        eq(orderEvents.orderId, order.id),
        eq(orderEvents.kind, "payment_readdressed"),
        eq(sql`${orderEvents.data} ->> 'to'`, address),
      ),
    )
    .limit(1);
  return event ? getReaddressWait(tx, ctx, destination) : null;
}

import { and, eq, isNull, or, sql } from "drizzle-orm";
import { type AssetSymbol, otherAsset } from "../../lib/assets";
import { type Database, queryRows } from "../db/database";
import { orders } from "../db/schema/orders";
import { isOpenPayment, payments } from "../db/schema/payments";
import { fees } from "../ledger/ledger";

/** Fees earned in an asset: all fees, and the part that will not be needed to undo an order. Base units. */
export type EarnedFees = { all: bigint; final: bigint };

/** SQL condition: a payment is open, or a reorg may still remove it. */
const mayBeUndone = or(isOpenPayment, and(eq(payments.status, "confirmed"), isNull(payments.settledAt)));

/**
 * Reads the fees earned in an asset. A fee is not final while the payout of its swap may still be withdrawn or
 * removed by a reorg. The same goes for the cost of a refund that is not settled.
 */
export async function readEarnedFees(db: Database, asset: AssetSymbol): Promise<EarnedFees> {
  // One statement, because a swap that is filled in between changes both.
  const [row] = await queryRows<{ all: string; open: string }>(
    db,
    sql`select coalesce((select balance from ledger_accounts where asset = ${asset} and code = ${fees}), 0)::text as all,
               (coalesce((select sum(${orders.filledFee}) from ${payments} join ${orders} on ${orders.id} = ${payments.orderId}
                           where ${payments.asset} = ${otherAsset(asset)} and purpose = 'payout' and ${mayBeUndone}), 0)
                + coalesce((select sum(gross_amount - amount) from ${payments}
                             where asset = ${asset} and purpose = 'refund' and ${mayBeUndone}), 0))::text as open`,
  );
  const all = BigInt(row?.all ?? 0);
  const open = BigInt(row?.open ?? 0);
  return { all, final: all > open ? all - open : 0n };
}

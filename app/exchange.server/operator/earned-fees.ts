import { sql } from "drizzle-orm";
import { type AssetSymbol, otherAsset } from "../../lib/assets";
import { type Database, queryRows } from "../db/database";
import { fees } from "../ledger/ledger";

/** Fees earned in an asset: all fees, and the part that will not be needed to undo an order. Base units. */
export type EarnedFees = { all: bigint; final: bigint };

/**
 * Reads the fees earned in an asset. A fee is not final while the payout of its swap may still be withdrawn or
 * removed by a reorg. The same goes for the cost of a refund that is not settled.
 */
export async function readEarnedFees(db: Database, asset: AssetSymbol): Promise<EarnedFees> {
  // One statement, because a swap that is filled in between changes both.
  const [row] = await queryRows<{ all: string; open: string }>(
    db,
    sql`select coalesce((select balance from ledger_accounts where asset = ${asset} and code = ${fees}), 0)::text as all,
               (coalesce((select sum(o.filled_fee) from payments p join orders o on o.id = p.order_id
                           where p.asset = ${otherAsset(asset)} and p.purpose = 'payout'
                             and (p.status in ('planned', 'prepared', 'sent')
                                  or (p.status = 'confirmed' and p.settled_at is null))), 0)
                + coalesce((select sum(gross_amount - amount) from payments
                             where asset = ${asset} and purpose = 'refund'
                               and (status in ('planned', 'prepared', 'sent')
                                    or (status = 'confirmed' and settled_at is null))), 0))::text as open`,
  );
  const all = BigInt(row?.all ?? 0);
  const open = BigInt(row?.open ?? 0);
  return { all, final: all > open ? all - open : 0n };
}

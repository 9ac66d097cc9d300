import { sql } from "drizzle-orm";
import { type AssetSymbol, assetSymbols } from "../../lib/assets";
import { type Database, queryRows } from "../db/database";
import { consolidations, isOpenConsolidation, isOpenPayment, payments } from "../db/schema/payments";

/** Open payments and consolidations. Those that are not `planned` are signed. */
export type OpenPaymentCounts = { asset: AssetSymbol; planned: number; prepared: number; sent: number };

/** Counts the open payments and consolidations of each asset, for the operator. */
export async function countOpenPayments(db: Database): Promise<OpenPaymentCounts[]> {
  const rows = await queryRows<{ asset: string; status: string; count: number }>(
    db,
    sql`select asset, status, count(*)::int as count
          from (select asset, status from ${payments} where ${isOpenPayment}
                union all
                select asset, status from ${consolidations} where ${isOpenConsolidation}) as open
         group by asset, status`,
  );
  return assetSymbols.map((asset) => {
    const of = (status: string) => rows.find((row) => row.asset === asset && row.status === status)?.count ?? 0;
    return { asset, planned: of("planned"), prepared: of("prepared"), sent: of("sent") };
  });
}

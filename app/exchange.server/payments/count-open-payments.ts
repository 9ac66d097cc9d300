import { sql } from "drizzle-orm";
import { type AssetSymbol, assetSymbols } from "../../lib/assets";
import { type Database, queryRows } from "../db/database";

/** Payments and consolidations that are neither confirmed nor failed. Those that are not `planned` are signed. */
export type OpenPaymentCounts = { asset: AssetSymbol; planned: number; prepared: number; sent: number };

/** Counts the payments of each asset that are under way, for the operator. */
export async function countOpenPayments(db: Database): Promise<OpenPaymentCounts[]> {
  const rows = await queryRows<{ asset: string; status: string; count: number }>(
    db,
    sql`select asset, status, count(*)::int as count
          from (select asset, status from payments where status in ('planned', 'prepared', 'sent')
                union all
                select asset, status from consolidations where status in ('prepared', 'sent')) as under_way
         group by asset, status`,
  );
  return assetSymbols.map((asset) => {
    const of = (status: string) => rows.find((row) => row.asset === asset && row.status === status)?.count ?? 0;
    return { asset, planned: of("planned"), prepared: of("prepared"), sent: of("sent") };
  });
}

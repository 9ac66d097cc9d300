import { sql } from "drizzle-orm";
import { type Database, rowsOf } from "../db/database";

/** A sentence for the operator about something in the books that cannot be. */
export type BookFault = string;

/**
 * Checks the books (order-lifecycle, rule 10): per asset the accounts sum to zero; each
 * balance is what its transfers say; nothing but `world` is negative; per order
 * in = out + fees + held; what is credited is what the deposit rows say; what is paid is
 * what the payment rows say. Reads only. An empty list means balanced.
 */
export async function checkBooks(db: Database): Promise<BookFault[]> {
  const faults = await rowsOf<{ fault: string }>(
    db,
    sql`
    select 'The ' || asset || ' accounts sum to ' || sum(balance)::text || ' instead of 0' as fault
      from ledger_accounts group by asset having sum(balance) <> 0
    union all
    select 'The ' || asset || ' account ' || code || ' is ' || balance::text || ' while its transfers say ' || moved::text
      from (select a.asset, a.code, a.balance, coalesce(sum(m.delta), 0) as moved
              from ledger_accounts a
              left join (select asset, to_code as code, amount as delta from ledger_transfers
                         union all select asset, from_code, -amount from ledger_transfers) m
                on m.asset = a.asset and m.code = a.code
             group by a.asset, a.code, a.balance) as compared
     where balance <> moved
    union all
    select 'The ' || asset || ' account ' || code || ' is negative' from ledger_accounts
     where balance < 0 and code <> 'world'
    union all
    select 'Order ' || o.id || ': credited ' || coalesce(d.credited, 0)::text || ' but the ledger received ' || coalesce(t.received, 0)::text
      from orders o
      left join (select order_id, sum(amount) as credited from deposits where credited_at is not null and status <> 'failed' group by order_id) d on d.order_id = o.id
      left join (select order_id, sum(case when kind = 'deposit' then amount else -amount end) as received from ledger_transfers
                  where kind in ('deposit', 'deposit_reorged') group by order_id) t on t.order_id = o.id
     where coalesce(d.credited, 0) <> coalesce(t.received, 0)
    union all
    select 'Order ' || p.order_id || ': paid ' || p.paid::text || ' ' || p.asset || ' but the ledger says ' || coalesce(t.paid, 0)::text
      from (select order_id, asset, sum(amount) as paid from payments where status = 'confirmed' group by order_id, asset) p
      left join (select order_id, asset, sum(amount) as paid from ledger_transfers where kind = 'paid' group by order_id, asset) t
        on t.order_id = p.order_id and t.asset = p.asset
     where p.paid <> coalesce(t.paid, 0)
    union all
    select 'Order ' || o.id || ' is ' || o.status || ' and yet ' || a.code || ' holds ' || a.balance::text || ' ' || a.asset
      from orders o join ledger_accounts a on a.code in ('reserved:' || o.id, 'payable:' || o.id) and a.balance <> 0
     where o.status in ('expired', 'cancelled') and a.code = 'reserved:' || o.id
        or o.status = 'completed' and a.code = 'reserved:' || o.id
    `,
  );
  return faults.map((row) => row.fault);
}

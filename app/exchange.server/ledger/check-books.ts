import { type SQL, sql } from "drizzle-orm";
import { type Database, queryRows } from "../db/database";
import { isOpenPayment, payments } from "../db/schema/payments";
import { external, payableTo, reservedFor } from "./ledger";

/** An inconsistency in the books, as a sentence for the operator. */
export type BookFault = string;

/**
 * Reconciles the ledger with itself and with the orders. Reads only; an empty list means
 * that the books balance. Checks that
 * - the accounts of each asset sum to zero
 * - each balance equals the sum of its transfers
 * - no account except `external` is negative
 * - the total of what is reserved, in the treasury's row, equals the sum of the `reserved:` accounts
 * - each order's credited deposits equal the deposits in its ledger transfers
 * - each order's confirmed payments equal the payments in its ledger transfers
 * - what each order's customer is owed equals its payments that are not final
 * - an expired, cancelled or completed order has nothing reserved
 */
export async function checkBooks(db: Database): Promise<BookFault[]> {
  const faults = await queryRows<{ fault: string }>(
    db,
    sql`
    select 'The ' || asset || ' accounts sum to ' || sum(balance)::text || ' instead of 0' as fault
      from ledger_accounts group by asset having sum(balance) <> 0
    union all
    select 'The ' || asset || ' account ' || code || ' is ' || balance::text || ' but its transfers sum to ' || moved::text
      from (select a.asset, a.code, a.balance, coalesce(sum(m.delta), 0) as moved
              from ledger_accounts a
              left join (select asset, to_code as code, amount as delta from ledger_transfers
                         union all select asset, from_code, -amount from ledger_transfers) m
                on m.asset = a.asset and m.code = a.code
             group by a.asset, a.code, a.balance) as compared
     where balance <> moved
    union all
    select 'The ' || asset || ' account ' || code || ' is negative' from ledger_accounts
     where balance < 0 and code <> ${external}
    union all
    select 'The ' || asset || ' total of reserves is ' || total::text || ' but they sum to ' || balances::text
      from (select asset, sum(reserved) as total,
                   coalesce(sum(balance) filter (where code like ${reservedFor("%")}), 0) as balances
              from ledger_accounts group by asset) as compared
     where total <> balances
    union all ${selectOrderFaults(() => sql`true`)}`,
  );
  return faults.map((row) => row.fault);
}

/**
 * Selects the faults of orders: where the ledger differs from their deposits and payments, or still holds a reserve.
 * @param isChecked the condition that the order with this id is checked
 */
export function selectOrderFaults(isChecked: (orderId: SQL) => SQL): SQL {
  return sql`
    select 'Order ' || o.id || ': credited ' || coalesce(d.credited, 0)::text || ' but the ledger has ' || coalesce(t.received, 0)::text as fault
      from orders o
      left join (select order_id, sum(coalesce(lost_amount, amount)) as credited from deposits
                  where credited_at is not null and status <> 'failed' and ${isChecked(sql`order_id`)} group by order_id) d on d.order_id = o.id
      left join (select order_id, sum(case when kind = 'deposit' then amount else -amount end) as received from ledger_transfers
                  where kind in ('deposit', 'deposit_reorged') and ${isChecked(sql`order_id`)} group by order_id) t on t.order_id = o.id
     where coalesce(d.credited, 0) <> coalesce(t.received, 0) and ${isChecked(sql`o.id`)}
    union all
    select 'Order ' || order_id || ': paid ' || sum(paid)::text || ' ' || asset || ' but the ledger has ' || sum(booked)::text
      from (select order_id, asset, amount as paid, 0 as booked from payments
             where status = 'confirmed' and ${isChecked(sql`order_id`)}
            union all
            select order_id, asset, 0, case when kind = 'paid' then amount else -amount end from ledger_transfers
             where kind in ('paid', 'paid_undone') and ${isChecked(sql`order_id`)}) as payments_and_transfers
     group by order_id, asset having sum(paid) <> sum(booked)
    union all
    select 'Order ' || order_id || ': owes ' || sum(owed)::text || ' ' || asset || ' but its open payments are ' || sum(open)::text
      from (select o.id as order_id, a.asset, a.balance as owed, 0 as open
              from orders o join ledger_accounts a on a.asset in ('USDT', 'MOB') and a.code = ${payableTo("")} || o.id and a.balance <> 0
             where ${isChecked(sql`o.id`)}
            union all
            select order_id, asset, 0, amount from ${payments}
             where ${isOpenPayment} and ${isChecked(sql`order_id`)}) as owed_and_open
     group by order_id, asset having sum(owed) <> sum(open)
    union all
    select 'Order ' || o.id || ' is ' || o.status || ' but ' || a.code || ' holds ' || a.balance::text || ' ' || a.asset
      from orders o join ledger_accounts a on a.asset in ('USDT', 'MOB') and a.code = ${reservedFor("")} || o.id and a.balance <> 0
     where o.status in ('expired', 'cancelled', 'completed') and ${isChecked(sql`o.id`)}`;
}

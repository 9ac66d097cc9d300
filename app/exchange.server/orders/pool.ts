import { sql } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import { type Database, rowsOf } from "../db/database";
import { invariant } from "../errors";

/** What we can pay out in an asset, in base units, and how much of it an account holds back. Of one moment. */
export type Pool = {
  /** What the wallet can send, and at most in one payment (null: any amount). */
  spendable: bigint;
  maxPayment: bigint | null;
  /** Our own funds in the books. */
  treasury: bigint;
  /** Total reserved, owed and held for orders: what the wallet must be able to send. */
  obligations: bigint;
  /** The treasury and what is reserved for orders. */
  total: bigint;
  /** What is reserved for the account's orders that wait for a deposit, and how many they are. */
  unpaid: bigint;
  unpaidLocks: number;
};

type Row = Record<Exclude<keyof Pool, "maxPayment">, string> & { maxPayment: string | null };

/** Reads the pool in one statement. Only accounts with a balance are summed: those of settled orders are empty. */
export async function readPool(db: Database, asset: AssetSymbol, accountId: string): Promise<Pool> {
  const [row] = await rowsOf<Row>(
    db,
    sql`with own as (
          select 'reserved:' || id as code from orders
           where account_id = ${accountId} and status = 'awaiting_deposit' and target_asset = ${asset}
        )
        select coalesce(max(chain.spendable), 0)::text as spendable,
               max(chain.max_payment)::text as "maxPayment",
               coalesce(sum(balance) filter (where code = 'treasury'), 0)::text as treasury,
               coalesce(sum(balance) filter (where code ~ '^(reserved|payable|held):'), 0)::text as obligations,
               coalesce(sum(balance) filter (where code = 'treasury' or code like 'reserved:%'), 0)::text as total,
               coalesce(sum(balance) filter (where code in (select code from own)), 0)::text as unpaid,
               count(*) filter (where code in (select code from own))::text as "unpaidLocks"
          from (select ${asset}::text as asset) as one
          left join chain_states as chain using (asset)
          left join ledger_accounts as account on account.asset = one.asset and account.balance <> 0`,
  );
  invariant(row, "an aggregate has a row");
  return {
    spendable: BigInt(row.spendable),
    maxPayment: row.maxPayment === null ? null : BigInt(row.maxPayment),
    treasury: BigInt(row.treasury),
    obligations: BigInt(row.obligations),
    total: BigInt(row.total),
    unpaid: BigInt(row.unpaid),
    unpaidLocks: Number(row.unpaidLocks),
  };
}

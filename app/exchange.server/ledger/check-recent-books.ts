import { sql } from "drizzle-orm";
import { addMs, dayMs, minuteMs } from "../../lib/durations";
import { type Database, queryRows } from "../db/database";
import { invariant } from "../errors";
import { type BookFault, checkBooks, selectOrderFaults } from "./check-books";
import { external, fees, reservedFor, treasury } from "./ledger";

/** How often everything is checked. */
const fullCheckMs = dayMs;
/** A transaction is expected to commit within this time after its transfers were dated. */
const longestCommitMs = minuteMs;

/** What has been checked: everything up to a transfer and an event, and the accounts that do not belong to an order. */
type Checkpoint = {
  transferId: string;
  eventId: string;
  /** By asset and code, in base units, without the transfers after `transferId`. */
  balances: Map<string, bigint>;
  checkedAll: Date;
};

/**
 * Returns a function that checks the books: all of them at first and once a day, and in between only what has
 * changed since the last check. A fault is reported only if the check of everything finds it too, because a
 * transaction that commits late looks like one.
 */
export function createBookChecks(db: Database): (now: Date) => Promise<BookFault[]> {
  let checkpoint: Checkpoint | null = null;
  return async (now) => {
    if (checkpoint !== null && isRecent(checkpoint.checkedAll, now)) {
      checkpoint = await checkSince(db, checkpoint, now);
      if (checkpoint !== null) return [];
    }
    const start = await readStart(db, now);
    const faults = await checkBooks(db);
    checkpoint = faults.length === 0 ? start : null;
    return faults;
  };
}

/** Whether this time is within the last day. A time in the future was read before the clock was corrected (T61). */
function isRecent(checkedAll: Date, now: Date): boolean {
  return checkedAll <= now && now.getTime() - checkedAll.getTime() < fullCheckMs;
}

/** Checks what has changed since a checkpoint. @returns the next checkpoint, or null if there may be a fault */
async function checkSince(db: Database, since: Checkpoint, now: Date): Promise<Checkpoint | null> {
  const { accounts, next } = await readSharedAccounts(db, since, now);
  const agree = accounts.every(({ key, balance, moved }) => (since.balances.get(key) ?? 0n) + moved === balance);
  if (!agree || (await hasOrderFault(db, since))) return null;
  return { ...next, balances: toBalances(accounts), checkedAll: since.checkedAll };
}

/** The newest transfer and event that are old enough, with the balances before all later transfers. */
async function readStart(db: Database, now: Date): Promise<Checkpoint> {
  const horizon = toHorizon(now);
  const [start] = await queryRows<Ids>(
    db,
    sql`select coalesce((select max(id) from ledger_transfers where at < ${horizon}::timestamptz), 0)::text as "transferId",
               coalesce((select max(id) from order_events where at < ${horizon}::timestamptz), 0)::text as "eventId"`,
  );
  invariant(start, "a query without a table has one row");
  const { accounts, next } = await readSharedAccounts(db, start, now);
  return { ...next, balances: toBalances(accounts), checkedAll: now };
}

/** Transactions whose transfers are dated before this time have been committed. */
const toHorizon = (now: Date): string => addMs(now, -longestCommitMs).toISOString();

type SharedAccount = {
  key: string;
  balance: bigint;
  /** What the transfers since the checkpoint have added to the balance. */
  moved: bigint;
  /** What the transfers since the next checkpoint have added to the balance. */
  movedLater: bigint;
};

/** Where the next check starts. */
type Ids = Pick<Checkpoint, "transferId" | "eventId">;

/** The balances at the next checkpoint. */
const toBalances = (accounts: SharedAccount[]): Checkpoint["balances"] =>
  new Map(accounts.map(({ key, balance, movedLater }) => [key, balance - movedLater]));

/**
 * Reads the accounts that all orders share and the total of the reserves. One statement, so that balances and
 * transfers are from the same moment.
 */
async function readSharedAccounts(
  db: Database,
  { transferId, eventId }: Ids,
  now: Date,
): Promise<{ accounts: SharedAccount[]; next: Ids }> {
  const horizon = toHorizon(now);
  type Row = Record<"key" | "balance" | "moved" | "later" | "transfer" | "event", string>;
  const rows = await queryRows<Row>(
    db,
    sql`
    with recent as (
      select id, asset, from_code, to_code, amount, at from ledger_transfers where id > ${transferId}::bigint
    ), next as (
      select coalesce((select max(id) from recent where at < ${horizon}::timestamptz), ${transferId}::bigint) as transfer,
             coalesce((select max(id) from order_events where id > ${eventId}::bigint and at < ${horizon}::timestamptz),
                      ${eventId}::bigint) as event
    ), moves as (
      select id, asset, case when code like ${reservedFor("%")} then 'reserves' else code end as code, delta
        from (select id, asset, to_code as code, amount as delta from recent
              union all select id, asset, from_code, -amount from recent) as both_sides
    ), shared as (
      select asset, code, balance from ledger_accounts where code in (${external}, ${treasury}, ${fees})
      union all select asset, 'reserves', reserved from ledger_accounts where code = ${treasury}
    )
    select shared.asset || ' ' || shared.code as key, balance::text as balance,
           coalesce(sum(delta), 0)::text as moved,
           coalesce(sum(delta) filter (where moves.id > next.transfer), 0)::text as later,
           next.transfer::text as transfer, next.event::text as event
      from next cross join shared
      left join moves on moves.asset = shared.asset and moves.code = shared.code
     group by shared.asset, shared.code, balance, next.transfer, next.event`,
  );
  const accounts = rows.map((row) => ({
    key: row.key,
    balance: BigInt(row.balance),
    moved: BigInt(row.moved),
    movedLater: BigInt(row.later),
  }));
  return { accounts, next: { transferId: rows[0]?.transfer ?? transferId, eventId: rows[0]?.event ?? eventId } };
}

/**
 * Whether an order with later transfers or events has a fault. Do not add a LIMIT: PostgreSQL then chooses a plan whose
 * time is quadratic in the number of changes (20 s for 10,000 orders).
 */
async function hasOrderFault(db: Database, { transferId, eventId }: Ids): Promise<boolean> {
  const found = await queryRows(
    db,
    sql`
    with changed as materialized (
      select order_id as id from ledger_transfers where id > ${transferId}::bigint and order_id is not null
      union select order_id from order_events where id > ${eventId}::bigint
    )
    select 'The ' || asset || ' account ' || code as fault
      from (select asset, code, sum(delta) as moved
              from (select asset, to_code as code, amount as delta from ledger_transfers where order_id in (select id from changed)
                    union all
                    select asset, from_code, -amount from ledger_transfers where order_id in (select id from changed)) m
             where code not in (${external}, ${treasury}, ${fees})
             group by asset, code) as sums
      left join ledger_accounts a using (asset, code)
     where coalesce(a.balance, 0) <> moved
    union all ${selectOrderFaults((orderId) => sql`${orderId} in (select id from changed)`)}`,
  );
  return found.length > 0;
}

import { and, eq, isNotNull, ne, or, type SQL, sql } from "drizzle-orm";
import type { AssetSymbol } from "../../../lib/assets";
import { type Database, queryRows } from "../../db/database";
import { consolidations, isSignedPayment, type PaymentRow, payments } from "../../db/schema/payments";

/*
 * Which payments of our wallet this database knows. They are found by the hashes of their versions and of their change,
 * or by what they pay.
 */

type Hashes = { asset: AssetSymbol; hashes: string[] };

/** Selects which of these hashes are the change of a payment or a consolidation. */
export function selectChangeHashes({ asset, hashes }: Hashes): SQL {
  return sql`select prepared->>'changeHash' as hash from ${payments}
         where ${payments.asset} = ${asset} and prepared->>'changeHash' = any(${sql.param(hashes)})
        union select prepared->>'changeHash' from ${consolidations}
         where ${consolidations.asset} = ${asset} and prepared->>'changeHash' = any(${sql.param(hashes)})`;
}

/** Which of these hashes are the change of a payment or a consolidation in this database. */
export async function findChangeHashes(
  db: Database,
  asset: AssetSymbol,
  unrecorded: readonly { hash: string }[],
): Promise<Set<string>> {
  if (unrecorded.length === 0) return new Set();
  const hashes = unrecorded.map(({ hash }) => hash);
  const rows = await queryRows<{ hash: string }>(db, selectChangeHashes({ asset, hashes }));
  return new Set(rows.map(({ hash }) => hash));
}

/** Selects which of these hashes belong to a signed version of a payment that meets the condition. */
function selectVersions({ asset, hashes }: Hashes, condition: SQL): SQL {
  return sql`select version->>'hash' as hash
      from ${payments}, jsonb_array_elements(${payments.superseded} || coalesce(${payments.prepared}, '[]')) version
     where ${payments.asset} = ${asset} and ${condition} and version->>'hash' = any(${sql.param(hashes)})`;
}

/**
 * Nothing was booked for a failed payment. On Ethereum, a deep reorg may still let one take effect.
 * On MobileCoin, that cannot happen, but the wallet may still list one that it has not given up.
 */
const isBooked = sql`(${payments.status} <> 'failed' or ${payments.nonce} is null)`;

/** A payment that failed, and that `payment` replaces. */
const isReplacedBy = ({ orderId, purpose, amount }: PaymentRow) =>
  sql`(${and(eq(payments.orderId, orderId), eq(payments.purpose, purpose), eq(payments.amount, amount))} and not ${isBooked})`;

/**
 * Selects which of these hashes belong to a consolidation, or to a payment that has not failed: to the version that was
 * found in a block or, while the payment is signed, to any of its versions.
 */
export function selectKnownHashes({ asset, hashes }: Hashes): SQL {
  return sql`select hash from ${payments}
       where ${payments.asset} = ${asset} and hash = any(${sql.param(hashes)}) and ${isBooked}
      union select hash from ${consolidations} where ${consolidations.asset} = ${asset} and hash = any(${sql.param(hashes)})
      union ${selectVersions({ asset, hashes }, isSignedPayment)}`;
}

/** Which of these hashes this database knows, except for versions of closed payments that never got into a block. */
export async function findKnownHashes(db: Database, asset: AssetSymbol, hashes: string[]): Promise<Set<string>> {
  if (hashes.length === 0) return new Set();
  const rows = await queryRows<{ hash: string }>(db, selectKnownHashes({ asset, hashes }));
  return new Set(rows.map(({ hash }) => hash));
}

/** Which of these hashes this database knows, in any version of any payment that has not failed. */
export const searchKnownHashes = (db: Database, asset: AssetSymbol, hashes: string[]): Promise<Set<string>> =>
  searchVersions(db, { asset, hashes }, isBooked);

/** Whether a hash belongs to any other payment, including failed ones unless `payment` replaces them. */
export async function belongsToAnotherPayment(db: Database, payment: PaymentRow, hash: string): Promise<boolean> {
  const { asset } = payment;
  return (await searchVersions(db, { asset, hashes: [hash] }, sql`not ${isReplacedBy(payment)}`)).size > 0;
}

/** Reads every payment that meets the condition, but only for hashes that `findKnownHashes` does not find. */
async function searchVersions(db: Database, { asset, hashes }: Hashes, condition: SQL): Promise<Set<string>> {
  const known = await findKnownHashes(db, asset, hashes);
  const others = hashes.filter((hash) => !known.has(hash));
  if (others.length === 0) return known;
  const rows = await queryRows<{ hash: string }>(db, selectVersions({ asset, hashes: others }, condition));
  return new Set([...known, ...rows.map(({ hash }) => hash)]);
}

/**
 * The id of a signed payment of the same amount to the same address that is not final, if there is one. After a
 * restored backup it may be in a block as a version that this database does not know (`findVersion`).
 */
export async function findSameSigned(db: Database, payment: PaymentRow): Promise<string | null> {
  const isNotFinal = or(isSignedPayment, and(eq(payments.status, "confirmed"), isNotNull(payments.missingSince)));
  const [found] = await db
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        ne(payments.id, payment.id),
        eq(payments.asset, payment.asset),
        eq(payments.address, payment.address),
        eq(payments.amount, payment.amount),
        isNotNull(payments.nonce),
        isNotFinal,
      ),
    )
    .limit(1);
  return found?.id ?? null;
}

import { and, eq, inArray, isNotNull, isNull, ne, or, sql } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import { type Database, rowsOf } from "../db/database";
import { unknownPayments } from "../db/schema/history";
import { payments } from "../db/schema/payments";
import type { PaymentRow } from "./plan-payments";

/*
 * Payments of our wallet that this database does not know, for example after a backup was restored.
 */

/** The condition that an unknown payment went to the same address as a payment, or has the same amount. */
export const isSimilar = and(
  eq(unknownPayments.asset, payments.asset),
  or(eq(unknownPayments.address, payments.address), eq(unknownPayments.amount, payments.amount)),
);

/** The condition that an unknown payment, which no operator has accounted for yet, may be this payment. */
export const mayBeTheSame = and(isSimilar, isNull(unknownPayments.resolvedAt));

/** The hashes of the unknown payments that may be a payment. */
export async function listOpenSimilar(db: Database, paymentId: string): Promise<string[]> {
  const rows = await db
    .select({ hash: unknownPayments.hash })
    .from(payments)
    .innerJoin(unknownPayments, mayBeTheSame)
    .where(eq(payments.id, paymentId));
  return rows.map(({ hash }) => hash);
}

/** Whether, as far as this database knows, the wallet may already have made a payment. */
export async function mayHaveBeenMade(db: Database, paymentId: string): Promise<boolean> {
  return (await listOpenSimilar(db, paymentId)).length > 0;
}

/** The hashes of unknown payments of exactly this amount to exactly this address, whether accounted for or not. */
export async function listSameTransfers(
  db: Database,
  { asset, address, amount }: Pick<PaymentRow, "asset" | "address" | "amount">,
): Promise<string[]> {
  const rows = await db
    .select({ hash: unknownPayments.hash })
    .from(unknownPayments)
    .where(
      and(eq(unknownPayments.asset, asset), eq(unknownPayments.address, address), eq(unknownPayments.amount, amount)),
    );
  return rows.map(({ hash }) => hash);
}

/**
 * Those of these hashes that a payment or a consolidation of this database has: in any signed version, or as the one
 * found in a block.
 */
export async function findKnownHashes(db: Database, asset: AssetSymbol, hashes: string[]): Promise<Set<string>> {
  if (hashes.length === 0) return new Set();
  const rows = await rowsOf<{ hash: string }>(
    db,
    sql`with asked as (select jsonb_array_elements_text(${JSON.stringify(hashes)}::jsonb) as hash)
        select a.hash from asked a
         where exists (select 1 from payments p where p.asset = ${asset} and (p.hash = a.hash
                         or p.prepared->>'hash' = a.hash
                         or p.superseded @> jsonb_build_array(jsonb_build_object('hash', a.hash))))
            or exists (select 1 from consolidations c where c.asset = ${asset} and c.hash = a.hash)`,
  );
  return new Set(rows.map(({ hash }) => hash));
}

/**
 * The id of a signed payment of the same amount to the same address that is not final, if there is one. After a
 * restored backup it may be in a block as a version that this database does not know (`findVersion`).
 */
export async function findSameOpenPayment(db: Database, payment: PaymentRow): Promise<string | null> {
  const isUnderWay = or(
    inArray(payments.status, ["prepared", "sent"]),
    and(eq(payments.status, "confirmed"), isNotNull(payments.missingSince)),
  );
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
        isUnderWay,
      ),
    )
    .limit(1);
  return found?.id ?? null;
}

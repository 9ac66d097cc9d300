import { and, eq, or, sql } from "drizzle-orm";
import { formatAmount } from "../../../lib/money";
import type { ExchangeContext } from "../../context";
import { afterCommit } from "../../db/after-commit";
import type { Database } from "../../db/database";
import { type PaymentRow, payments } from "../../db/schema/payments";
import { perContext } from "../../per-context";
import { skipFundingIndexes } from "./funding-indexes";
import { stopped, stopSwapsAndPayments } from "./stop";

type Prepared = Pick<PaymentRow, "id" | "asset" | "amount" | "nonce"> & { hash: string };

/** The last payment whose signed bytes this process has committed. */
const lastPrepared = perContext((): { payment: Prepared | null } => ({ payment: null }));

/** Remembers a payment as prepared, once the transaction that stores its signed bytes has committed. */
export function rememberPrepared(tx: Database, ctx: ExchangeContext, payment: Prepared): void {
  afterCommit(tx, () => {
    lastPrepared(ctx).payment = payment;
  });
}

/** Matches these bytes only: another process may have signed the payment again since they were lost. */
const isVersion = (hash: string) =>
  or(sql`${payments.prepared}->>'hash' = ${hash}`, sql`${payments.superseded} @> ${JSON.stringify([{ hash }])}::jsonb`);

/**
 * Stops payments and new swaps if the database no longer has the signed bytes of the last payment that this process has
 * committed: a failover has lost commits while the process kept running. If the nodes have dropped that payment, the
 * chain may not show it yet. A failover loses the newest commits, so if an earlier payment was lost, the last one was
 * lost too.
 * @returns whether it has stopped them
 */
export async function stopIfCommitsAreLost(tx: Database, ctx: ExchangeContext): Promise<boolean> {
  const { payment } = lastPrepared(ctx);
  if (payment === null) return false;
  const [stored] = await tx
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.id, payment.id), isVersion(payment.hash)));
  if (stored) return false;
  const { id, asset, amount, hash, nonce } = payment;
  const cause = "lost-commits";
  const named = nonce === null ? `${id}, ${hash}` : `${id}, ${hash}, nonce ${nonce}`;
  const reason = `The database has lost a payment of ${formatAmount(amount, asset)} ${asset} that was signed and stored (${named}): a failover has probably lost commits. It may still be made: follow "If signed payments were lost" in docs/operating.md before you switch payments on.`;
  const at = await ctx.clock.now(tx);
  await stopSwapsAndPayments(tx, { cause, reason, at });
  await skipFundingIndexes(tx, at);
  afterCommit(tx, () => {
    lastPrepared(ctx).payment = null;
    ctx.log.fatal({ reason }, stopped);
  });
  return true;
}

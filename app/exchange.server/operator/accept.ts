import { eq } from "drizzle-orm";
import { joinSentences } from "../../lib/join-sentences";
import { formatAmount } from "../../lib/money";
import { clearAlert, listAlerts } from "../alerts/alerts";
import type { Database } from "../db/database";
import { chainStates } from "../db/schema/chains";
import { bookFeeByHand } from "../operator-advice";
import { acceptPayment } from "../payments/history/possible-duplicates";
import { findReasonToKeep, findUnresolved, type UnknownPayment } from "../payments/history/unknown-payments";
import { OperatorError } from "./operator-error";
import { listTransactionHashes } from "./transaction-hash";

/** Accepts this as the next nonce of the Ethereum signer. @throws OperatorError before the first scan */
export async function acceptNonce(db: Database, nonce: number): Promise<string[]> {
  const changed = await db
    .update(chainStates)
    .set({ baselineNonce: nonce })
    .where(eq(chainStates.asset, "USDT"))
    .returning({ asset: chainStates.asset });
  if (changed.length === 0) throw new OperatorError("This exchange has not scanned Ethereum yet: check DATABASE_URL.");
  return [];
}

/**
 * Accounts for a payment of our wallet that is not for an order of this database. Unless forced, this is refused while
 * the payment may be for such an order, because nothing would keep that order from being paid or refunded a second
 * time.
 * @returns what was accepted, and how to book it
 * @throws OperatorError
 */
export async function acceptUnknown(
  db: Database,
  { text, isForced, at }: { text: string; isForced: boolean; at: Date },
): Promise<string[]> {
  const unknown = await findUnresolved(db, listTransactionHashes(text));
  if (!unknown) throw new OperatorError(`There is no unknown payment ${text}: "operate status" lists them.`);
  const reason = isForced ? null : await findReasonToKeep(db, unknown);
  if (reason !== null)
    throw new OperatorError(`${reason} If you know that it was not for an order of this database, add --force.`);
  await acceptPayment(db, unknown.hash, at);
  return [describeAccepted(unknown)];
}

/**
 * Ends the alert about a transfer that is older than its order. Every other alert ends when its cause does.
 * @throws OperatorError
 */
export async function dismissTransfer(db: Database, subject: string): Promise<string[]> {
  const alert = (await listAlerts(db)).find((one) => one.subject === subject);
  if (!alert || !subject.startsWith("transfer:")) {
    throw new OperatorError(`There is no transfer ${subject}: "operate status" lists them.`);
  }
  await clearAlert(db, subject);
  return [`dismissed: ${joinSentences(alert.reason, alert.action)}`];
}

/** What was accepted and how to book it. The alert that said so no longer exists. */
function describeAccepted({ asset, amount: units, address }: UnknownPayment): string {
  if (units === 0n)
    return `accepted: an unknown amount of ${asset} to ${address}. Find the amount with "operate reserves", and book it with "operate float ${asset} -AMOUNT".`;
  const amount = formatAmount(units, asset);
  return joinSentences(
    `accepted: ${amount} ${asset} to ${address}.`,
    `If it is not booked yet, and was not a consolidation of our own outputs, run "operate float ${asset} -${amount}".`,
    bookFeeByHand(asset),
  );
}

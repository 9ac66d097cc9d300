import { eq } from "drizzle-orm";
import { formatAmount } from "../../../lib/money";
import { clearAlert, hasAlert, raiseAlert } from "../../alerts/alerts";
import type { ChainTransfer } from "../../chains/gateway";
import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import { type DepositRow, deposits } from "../../db/schema/deposits";
import { switchOff } from "../../switches/switches";
import { toDepositState } from "../deposit-state";
import type { Paid } from "./dependent-payments";

/*
 * Deposits that a reorg removed after something was paid with them. They stay credited, and each scan looks them up
 * again: they are lost unless they come back, or what was paid with them fails. `write-off-deposit.ts` books the loss.
 */

/**
 * Waits for the confirmations of a deposit that was paid out and is in another block now (`found`): each scan looks it
 * up again until it is deep enough or gone. If it was reported missing, the operator learns where it is.
 */
export async function awaitConfirmations(
  tx: Database,
  ctx: ExchangeContext,
  deposit: DepositRow,
  { found, paid, at }: { found: ChainTransfer; paid: Paid; at: Date },
): Promise<void> {
  const { id, orderId, amount, recheckSince } = deposit;
  if (recheckSince === null) await tx.update(deposits).set({ recheckSince: at }).where(eq(deposits.id, id));
  if (toDepositState(deposit) !== "missing") return;
  const which = paid === "perhaps" ? "that may have been paid out already" : "after it was paid out";
  const reason = `A reorg removed a deposit of ${toText(amount, deposit)} ${which}. It is in block ${found.blockNumber} now.`;
  const action = "Wait until it has its confirmations there.";
  await raiseAlert(tx, ctx, { subject: `deposit:${id}`, orderId, reason, action, at });
}

/**
 * Records how much of a missing deposit is lost (`lost`, in base units), and alerts an operator. The alert is raised
 * again when it becomes certain that what may have been paid was paid. Stops new swaps if the deposit was not missing
 * before.
 */
export async function reportLoss(
  tx: Database,
  ctx: ExchangeContext,
  deposit: DepositRow,
  { lost, paid, at }: { lost: bigint; paid: Paid; at: Date },
): Promise<void> {
  const { id, orderId, missingSince, lostAmount, recheckSince } = deposit;
  const before = toDepositState(deposit);
  const subject = `deposit:${id}` as const;
  const { reason, action } = describeLoss(deposit, lost, paid);
  const otherwise = describeLoss(deposit, lost, paid === "perhaps" ? "yes" : "perhaps");
  const isKnown = missingSince !== null && lostAmount === lost && recheckSince === null;
  if (isKnown && !(await hasAlert(tx, subject, otherwise.action))) return;
  await tx
    .update(deposits)
    .set({ missingSince: missingSince ?? at, lostAmount: lost, recheckSince: null, updatedAt: at })
    .where(eq(deposits.id, id));
  if (before === "written_off") return clearAlert(tx, subject);
  await raiseAlert(tx, ctx, { subject, orderId, reason, action, at });
  if (before === "missing") return;
  const resume = 'Once it is back or written off, run "operate on swaps".';
  await switchOff(tx, "swaps", { cause: subject, reason: `${reason} ${resume}`, at });
}

/** What is known about the loss of a deposit, and what the operator should do about it. */
function describeLoss(deposit: DepositRow, lost: bigint, paid: Paid): { reason: string; action: string } {
  const part = lost === deposit.amount ? "that" : `of which ${toText(lost, deposit)}`;
  const removed = `A reorg removed a deposit of ${toText(deposit.amount, deposit)} ${part}`;
  const writeOff = `follow "Write off a deposit" in docs/operating.md: "operate write-off ${deposit.id}".`;
  if (paid !== "perhaps")
    return { reason: `${removed} was already paid out.`, action: `If it cannot come back, ${writeOff}` };
  return {
    reason: `${removed} may have been paid out already: our wallet has made a payment that is missing from this database.`,
    action: `First deal with the alert about the unknown payment. If that payment was for something else, nothing is lost. If it was made with this deposit, and the deposit cannot come back, ${writeOff}`,
  };
}

const toText = (amount: bigint, { asset }: DepositRow) => `${formatAmount(amount, asset)} ${asset}`;

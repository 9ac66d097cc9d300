import { and, desc, eq, gt, isNull } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import { addMs, hourMs } from "../../lib/durations";
import { AmountError, formatAmount, parseAmount } from "../../lib/money";
import { type Database, lockFor } from "../db/database";
import { ledgerTransfers } from "../db/schema/ledger";
import { external, fees, getBalance, InsufficientBalanceError, post, type Transfer, treasury } from "../ledger/ledger";
import { bookLargeLoss } from "../operator-advice";
import { readEarnedFees } from "./earned-fees";
import { OperatorError } from "./operator-error";

/** If the same amount is booked again so soon, the command may have been repeated because its result was not seen. */
const repeatedFloatMs = hourMs;

/**
 * Books an amount that was added to our wallet by hand, or taken from it ("-250").
 * @returns the treasury before and after
 * @throws OperatorError, including if the same was booked within the last hour and `isAgain` is not set
 */
export async function addFloat(
  tx: Database,
  { asset, amount, isAgain, at }: { asset: AssetSymbol; amount: string; isAgain: boolean; at: Date },
): Promise<string[]> {
  const isTaken = amount.startsWith("-");
  const units = parsePositive(isTaken ? amount.slice(1) : amount, asset, "250 or -250.5");
  const [from, to] = isTaken ? [treasury, external] : [external, treasury];
  const transfer = { asset, from, to, amount: units, kind: "float" as const };
  await lockFor(tx, "float");
  const last = await findTransferSince(tx, transfer, addMs(at, -repeatedFloatMs));
  if (last !== null && !isAgain) {
    throw new OperatorError(
      `The same amount was booked at ${last.toISOString()} (see "operate actions"). If you want to book it once more, add --again.`,
    );
  }
  try {
    await post(tx, { transfers: [transfer], orderId: null, at });
  } catch (error) {
    if (!(error instanceof InsufficientBalanceError)) throw error;
    const message = `The treasury holds less than ${formatAmount(units, asset)} ${asset}: lower AMOUNT. ${bookLargeLoss}`;
    throw new OperatorError(message, { cause: error });
  }
  const after = await getBalance(tx, asset, treasury);
  const before = isTaken ? after + units : after - units;
  return [`treasury: ${formatAmount(before, asset)} ${asset} before, ${formatAmount(after, asset)} after`];
}

/** When a transfer without an order was last posted since a given time. */
async function findTransferSince(tx: Database, transfer: Transfer, since: Date): Promise<Date | null> {
  const { asset, kind, from, to, amount } = transfer;
  const t = ledgerTransfers;
  const isSame = and(eq(t.asset, asset), eq(t.fromCode, from), eq(t.toCode, to), eq(t.amount, amount));
  const [last] = await tx
    .select({ at: t.at })
    .from(t)
    .where(and(isNull(t.orderId), eq(t.kind, kind), isSame, gt(t.at, since)))
    .orderBy(desc(t.id))
    .limit(1);
  return last?.at ?? null;
}

/**
 * Moves earned fees to the treasury: this amount, or (null) all that will not be needed to undo an order.
 * @throws OperatorError if there is less
 */
export async function takeFees(
  tx: Database,
  { asset, amount, at }: { asset: AssetSymbol; amount: string | null; at: Date },
): Promise<string[]> {
  const wanted = amount === null ? null : parsePositive(amount, asset, "250 or 250.5");
  await lockFor(tx, `fees:${asset}`);
  const { final } = await readEarnedFees(tx, asset);
  const units = wanted ?? final;
  if (units === 0n || units > final) {
    const most = `${formatAmount(final, asset)} ${asset}`;
    throw new OperatorError(
      `Only ${most} of fees can be taken: the rest comes from swaps and refunds that are not final.`,
    );
  }
  const transfers = [{ asset, from: fees, to: treasury, amount: units, kind: "fees_taken" as const }];
  await post(tx, { transfers, orderId: null, at });
  return [`taken: ${formatAmount(units, asset)} ${asset}`];
}

function parsePositive(text: string, asset: AssetSymbol, example: string): bigint {
  try {
    const units = parseAmount(text, asset);
    if (units > 0n) return units;
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
  }
  throw new OperatorError(`AMOUNT is not an amount of ${asset}: write it like ${example}.`);
}

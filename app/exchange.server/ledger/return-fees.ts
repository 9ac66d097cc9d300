import type { Database } from "../db/database";
import { fees, InsufficientBalanceError, post, treasury } from "./ledger";

/**
 * Posts transfers that return fees. If the fees account does not cover them, because it has paid network fees, the
 * treasury pays instead.
 * @throws InsufficientBalanceError if it cannot; the caller must roll back the transaction
 */
export async function returnFees(tx: Database, entry: Parameters<typeof post>[1]): Promise<void> {
  try {
    // In a savepoint: the transaction continues if the account is short.
    await tx.transaction((savepoint) => post(savepoint, entry));
  } catch (error) {
    if (!(error instanceof InsufficientBalanceError && error.account === fees)) throw error;
    const transfers = entry.transfers.map((transfer) =>
      transfer.from === fees ? { ...transfer, from: treasury } : transfer,
    );
    await post(tx, { ...entry, transfers });
  }
}

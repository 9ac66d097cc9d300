import type { AssetSymbol } from "../../lib/assets";
import type { Database } from "../db/database";
import { external, fees, InsufficientBalanceError, post, treasury } from "./ledger";

type Entry = Parameters<typeof post>[1];

/**
 * Posts transfers that return fees. If the fees account does not cover them, because it has paid network fees, the
 * treasury pays instead.
 * @throws InsufficientBalanceError if it cannot; the caller must roll back the transaction
 */
export function returnFees(tx: Database, entry: Entry): Promise<void> {
  return postOrReplace(tx, entry, { from: fees, instead: treasury });
}

/**
 * Books the network fee of a payment in the asset itself: from the treasury, or from the fees earned if the treasury
 * cannot cover it.
 * @throws InsufficientBalanceError if neither can; the caller must roll back the transaction
 */
export function bookNetworkFee(
  tx: Database,
  { asset, amount, orderId, at }: { asset: AssetSymbol; amount: bigint; orderId: string | null; at: Date },
): Promise<void> {
  const transfers = [{ asset, from: treasury, to: external, amount, kind: "network_fee" as const }];
  return postOrReplace(tx, { transfers, orderId, at }, { from: treasury, instead: fees });
}

/** Posts transfers. If the account `from` does not cover them, the account `instead` pays. */
async function postOrReplace(
  tx: Database,
  entry: Entry,
  { from, instead }: { from: string; instead: string },
): Promise<void> {
  try {
    // In a savepoint: the transaction continues if the account is short.
    await tx.transaction((savepoint) => post(savepoint, entry));
  } catch (error) {
    if (!(error instanceof InsufficientBalanceError && error.account === from)) throw error;
    const transfers = entry.transfers.map((transfer) =>
      transfer.from === from ? { ...transfer, from: instead } : transfer,
    );
    await post(tx, { ...entry, transfers });
  }
}

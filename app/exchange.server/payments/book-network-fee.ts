import type { AssetSymbol } from "../../lib/assets";
import type { Database } from "../db/database";
import { external, fees, InsufficientBalanceError, post, treasury } from "../ledger/ledger";

/**
 * Books the network fee of a payment in the asset itself: from the treasury, or from the fees earned
 * if the treasury cannot cover it.
 * @throws InsufficientBalanceError if neither can; the caller must roll back the transaction
 */
export async function bookNetworkFee(
  tx: Database,
  fee: { asset: AssetSymbol; amount: bigint; orderId: string | null; at: Date },
): Promise<void> {
  const { asset, amount, orderId, at } = fee;
  const bookFrom = (db: Database, from: string) =>
    post(db, { transfers: [{ asset, from, to: external, amount, kind: "network_fee" }], orderId, at });
  try {
    // In a savepoint: the transaction continues if the treasury is empty.
    await tx.transaction((savepoint) => bookFrom(savepoint, treasury));
  } catch (error) {
    if (!(error instanceof InsufficientBalanceError)) throw error;
    await bookFrom(tx, fees);
  }
}

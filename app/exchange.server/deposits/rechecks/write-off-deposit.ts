import { and, eq, isNull } from "drizzle-orm";
import { clearAlert } from "../../alerts/alerts";
import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import { deposits } from "../../db/schema/deposits";
import { ExchangeError } from "../../errors";
import { external, post, treasury } from "../../ledger/ledger";
import { toCredited } from "../../orders/held-deposits";
import { lockOrderRow, recordEvent } from "../../orders/transition";
import { depositIs } from "../deposit-state";

/**
 * Books the loss of a deposit that a reorg removed: what was paid out of it. The exchange keeps looking for it: if it
 * comes back, or a payment made with it fails after all, that is undone.
 * @returns the id of its order
 * @throws ExchangeError not_found, or conflict if the deposit is not such a loss, or is in a block again;
 *   InsufficientBalanceError
 */
export async function writeOffDeposit(tx: Database, ctx: ExchangeContext, depositId: string): Promise<string> {
  const [found] = await tx.select({ orderId: deposits.orderId }).from(deposits).where(eq(deposits.id, depositId));
  if (!found) throw new ExchangeError("not_found");
  const { id: orderId } = await lockOrderRow(tx, found.orderId);
  const at = await ctx.clock.now(tx);
  const isLoss = and(eq(deposits.id, depositId), depositIs.missing, isNull(deposits.recheckSince));
  const [lost] = await tx.update(deposits).set({ writtenOffAt: at, updatedAt: at }).where(isLoss).returning();
  if (!lost) throw new ExchangeError("conflict");
  const { asset } = lost;
  const transfers = [{ asset, from: treasury, to: external, amount: toCredited(lost), kind: "write_off" as const }];
  await post(tx, { transfers, orderId, at });
  await recordEvent(tx, orderId, { kind: "deposit_written_off", data: { deposit: depositId }, at });
  await clearAlert(tx, `deposit:${depositId}`);
  return orderId;
}

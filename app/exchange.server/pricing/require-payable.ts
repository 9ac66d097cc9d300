import { eq } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import type { Database } from "../db/database";
import { chainStates } from "../db/schema/chains";
import { ExchangeError } from "../errors";

/** Whether our wallet can send an amount in a single payment, as far as we know. */
export async function canPay(db: Database, asset: AssetSymbol, amount: bigint): Promise<boolean> {
  const [chain] = await db.select().from(chainStates).where(eq(chainStates.asset, asset));
  const maxPayment = chain?.maxPayment ?? null;
  return maxPayment === null || amount <= maxPayment;
}

/** Requires that our wallet can send an amount in a single payment. @throws liquidity */
export async function requirePayable(db: Database, asset: AssetSymbol, amount: bigint): Promise<void> {
  if (!(await canPay(db, asset, amount))) throw new ExchangeError("liquidity", { retryAfterSeconds: 60 });
}

/** Requires that a single payment of at most `maxPayment` (null: any) can send an amount. @throws liquidity */
export function requireSinglePayment(amount: bigint, maxPayment: bigint | null): void {
  if (maxPayment !== null && amount > maxPayment) throw new ExchangeError("liquidity", { retryAfterSeconds: 60 });
}

import { eq } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import type { Database } from "../db/database";
import { chainStates } from "../db/schema/chains";
import { ExchangeError } from "../errors";

/** Requires that our wallet can send an amount in a single payment. @throws liquidity */
export async function requirePayable(db: Database, asset: AssetSymbol, amount: bigint): Promise<void> {
  const [chain] = await db.select().from(chainStates).where(eq(chainStates.asset, asset));
  const maxPayment = chain?.maxPayment ?? null;
  if (maxPayment !== null && amount > maxPayment) throw new ExchangeError("liquidity", { retryAfterSeconds: 60 });
}

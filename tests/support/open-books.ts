import type { RunningContext } from "~/exchange.server/context";
import { recordOpeningBalance } from "~/exchange.server/ledger/open-books";
import { assetSymbols } from "~/lib/assets";

/** Posts the opening balances of both assets. */
export async function openBooks(ctx: RunningContext): Promise<void> {
  for (const asset of assetSymbols) await recordOpeningBalance(ctx, asset);
}

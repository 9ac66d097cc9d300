import type { AssetSymbol } from "../../../lib/assets";
import type { ExchangeContext } from "../../context";
import { checkBooks } from "../../ledger/check-books";
import { listReserveChecks } from "../../payments/reserves/check-reserves";
import type { CommandRunner } from "../command-runner";
import { addFloat, takeFees } from "../funds";
import { toReserveReport } from "../report";

/** The books, and our own funds in them. */
export function createBooksCommands(ctx: ExchangeContext, { attempt, change }: CommandRunner) {
  return {
    /** @returns the faults found in the ledger, one line each; empty if it balances */
    checkBooks: () => attempt(() => checkBooks(ctx.db)),
    /** @returns the last comparison of the books with each chain, if there has been one */
    getReserves: () =>
      attempt(async () => (await listReserveChecks(ctx.db)).map(toReserveReport(await ctx.clock.now(ctx.db)))),
    /**
     * Books an amount that was added to our wallet by hand, or taken from it ("-250"). `isAgain` says that the same was
     * booked within the last hour on purpose.
     */
    addFloat: (asset: AssetSymbol, amount: string, isAgain = false) =>
      change({
        command: "float",
        args: [asset, amount, ...(isAgain ? ["--again"] : [])],
        run: (tx, at) => addFloat(tx, { asset, amount, isAgain, at }),
      }),
    /** Moves earned fees to the treasury: an amount, or all that are final (null). */
    takeFees: (asset: AssetSymbol, amount: string | null) =>
      change({
        command: "take-fees",
        args: amount === null ? [asset] : [asset, amount],
        run: (tx, at) => takeFees(tx, { asset, amount, at }),
      }),
  };
}

import type { AssetSymbol } from "../../../lib/assets";
import type { ExchangeContext } from "../../context";
import { writeOffDeposit } from "../../deposits/rechecks/write-off-deposit";
import { requireLimits } from "../../startup-checks/require-limits";
import { dismissTransfer } from "../accept";
import type { CommandRunner } from "../command-runner";
import { describeOutcome } from "../describe-outcome";
import { readDeposits } from "../report";
import { cancelRescans, requestRescan } from "../rescans";

/** Deposits that were missed, lost or not collected. */
export function createDepositCommands(ctx: ExchangeContext, { attempt, change }: CommandRunner) {
  return {
    /** @returns what is at funding addresses of USDT, until they are known to be collected */
    listDeposits: () => attempt(() => readDeposits(ctx.db)),
    /** Ends the alert about a transfer that is older than its order, after it was dealt with by hand. */
    dismissTransfer: (subject: string) =>
      change({ command: "dismiss", args: [subject], run: (tx) => dismissTransfer(tx, subject) }),
    /** Books the loss of a deposit that a reorg removed: what was paid out of it. @returns what its order waits for */
    writeOff: (depositId: string) =>
      change(
        {
          command: "write-off",
          args: [depositId],
          run: async (tx) => {
            await requireLimits(tx, ctx);
            return describeOutcome(tx, await writeOffDeposit(tx, ctx, depositId));
          },
        },
        {
          not_found: `There is no deposit ${depositId}: check DEPOSIT and DATABASE_URL.`,
          conflict: `Deposit ${depositId} cannot be written off: either it is not missing, none of it was paid out, its loss is already booked, or "operate status" says why it has to wait.`,
        },
      ),
    /** Has the running exchange read a range of blocks again and credit the deposits that it missed. */
    rescan: (asset: AssetSymbol, from: number, to: number) =>
      change({
        command: "rescan",
        args: [String(from), String(to), asset],
        run: (tx, at) => requestRescan(tx, { asset, from, to, at }),
      }),
    /** Ends the rescans of an asset that are not finished. What they have found stays credited. */
    cancelRescan: (asset: AssetSymbol) =>
      change({
        command: "cancel-rescan",
        args: [asset],
        run: (tx, at) => cancelRescans(tx, { asset, at }),
      }),
  };
}

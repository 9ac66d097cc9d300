import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import {
  blockAccount,
  deleteAccountAgain,
  describeOwner,
  findAccount,
  listPasskeysOf,
  readRecord,
  removePasskeyOf,
  unblockAccount,
} from "../accounts";
import type { CommandRunner } from "../command-runner";
import { OperatorError } from "../operator-error";

/** Customers' accounts. */
export function createAccountCommands(ctx: ExchangeContext, { operator, attempt, change }: CommandRunner) {
  /** Changes an account, and adds the owner's e-mail address to what the command prints. */
  const changeNamed = async (
    command: string,
    named: string,
    run: (tx: Database, accountId: string, at: Date) => Promise<string[]>,
  ) => {
    let owner: string[] = [];
    const done = await change(async () => {
      const accountId = await findAccount(ctx.db, named);
      owner = await describeOwner(ctx.db, accountId);
      return { command, args: [accountId], run: (tx, at) => run(tx, accountId, at) };
    });
    return [...done.slice(0, 1), ...owner, ...done.slice(1)];
  };

  return {
    /** Blocks an account, which is named by its ID, its e-mail address, or one of its orders. */
    block: (account: string) => changeNamed("block", account, blockAccount),
    /** Ends a block, and all sessions. The running exchange then releases the orders, if their owner may swap. */
    unblock: (account: string) => changeNamed("unblock", account, unblockAccount),
    /** The passkeys of an account, newest first. */
    listPasskeys: (account: string) =>
      attempt(async () => listPasskeysOf(ctx.db, await findAccount(ctx.db, account), await ctx.clock.now(ctx.db))),
    /** Removes a passkey of a blocked account. */
    removePasskey: (account: string, passkeyId: string) =>
      change(async () => {
        const accountId = await findAccount(ctx.db, account);
        return {
          command: "remove-passkey",
          args: [accountId, passkeyId],
          run: (tx, at) => removePasskeyOf(tx, ctx, { accountId, passkeyId, now: at }),
        };
      }),
    /** Deletes an account again after a restored backup. `repeated` names it again, because this cannot be undone. */
    deleteAccount: (account: string, repeated: string) =>
      change(async () => {
        if (account !== repeated)
          throw new OperatorError(`This cannot be undone: to confirm it, run "operate delete ${account} ${account}".`);
        const accountId = await findAccount(ctx.db, account);
        return { command: "delete", args: [accountId], run: (tx) => deleteAccountAgain(tx, ctx, accountId) };
      }),
    /** Reads what we keep about a deleted account. It is named by its ID, or by one of its orders. */
    readRecord: (named: string, reason: string) => attempt(() => readRecord(ctx, { named, operator, reason })),
  };
}

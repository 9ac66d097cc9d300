import type { ExchangeContext } from "../../context";
import {
  blockAccount,
  deleteAccountAgain,
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
  return {
    /** Blocks an account, which is named by its ID, its e-mail address, or one of its orders. */
    block: (account: string) =>
      change(async () => {
        const accountId = await findAccount(ctx.db, account);
        return {
          command: "block",
          args: [accountId],
          run: (tx, at) => blockAccount(tx, accountId, at),
        };
      }),
    /** Ends a block, and all sessions. The running exchange then releases the orders, if their owner may swap. */
    unblock: (account: string) =>
      change(async () => {
        const accountId = await findAccount(ctx.db, account);
        return {
          command: "unblock",
          args: [accountId],
          run: (tx, at) => unblockAccount(tx, accountId, at),
        };
      }),
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

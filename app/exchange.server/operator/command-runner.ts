import { StartupError } from "../../lib/startup-error";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { describeError } from "../describe-error";
import { type ErrorCode, ExchangeError } from "../errors";
import { InsufficientBalanceError } from "../ledger/ledger";
import { requireLimits } from "../startup-checks/require-limits";
import { describeOutcome, describePaymentOutcome } from "./describe-outcome";
import { toOrderId } from "./named-orders";
import { OperatorError } from "./operator-error";
import { type Action, recordAction } from "./recorded-actions";

export const toMissingOrder = (named: string): string => `There is no order ${named}: check ORDER and DATABASE_URL.`;

const mayBeDone =
  'The command failed unexpectedly, but may still have taken effect: look for it in "operate actions" before you run it again. With LOG_LEVEL=debug, the log has details.';

/**
 * Ways to run an operator's command. Each rejects with an `OperatorError` that says what to do if it fails. Commands
 * that change something are recorded with the operator's name. They are refused if the networks or the
 * SESSION_SECRET differ from the site's. Commands that plan payments are also refused if the limits differ.
 */
export function createCommandRunner(
  ctx: ExchangeContext,
  operator: string,
  requireSettingsOfSite: () => Promise<void>,
) {
  const { db, log } = ctx;
  const attempt = async <T>(
    action: () => Promise<T>,
    unexpected = "The command failed unexpectedly: set LOG_LEVEL=debug and run it again for details.",
  ): Promise<T> => {
    try {
      return await action();
    } catch (error) {
      if (error instanceof OperatorError) throw error;
      log.debug({ error: describeError(error) }, "an operator command failed");
      throw new OperatorError(unexpected, { cause: error });
    }
  };
  /** Runs an action and records it. Explains a refusal with the message for its code, if there is one. */
  const change = (toAction: Action | (() => Promise<Action>), messages: Partial<Record<ErrorCode, string>> = {}) =>
    attempt(async () => {
      try {
        await requireSettingsOfSite();
        return await recordAction(ctx, operator, typeof toAction === "function" ? await toAction() : toAction);
      } catch (error) {
        if (error instanceof InsufficientBalanceError) {
          throw new OperatorError(`${error.message}: add funds and book them with "operate float".`, { cause: error });
        }
        if (error instanceof StartupError) throw new OperatorError(error.message, { cause: error });
        if (!(error instanceof ExchangeError)) throw error;
        throw new OperatorError(messages[error.code] ?? error.message, { cause: error });
      }
    }, mayBeDone);

  const changeOrder = (
    {
      command,
      order,
      args = [],
      conflict,
      isStop = false,
    }: {
      command: string;
      order: string;
      args?: string[];
      conflict: string;
      /** It only stops something, so it runs even if the limits differ from the site's. */
      isStop?: boolean;
    },
    run: (tx: Database, orderId: string) => Promise<unknown>,
  ) =>
    change(
      async () => {
        const orderId = await toOrderId(db, order);
        const runOn = async (tx: Database) => {
          if (!isStop) await requireLimits(tx, ctx);
          await run(tx, orderId);
          return describeOutcome(tx, orderId);
        };
        return { command, args: [orderId, ...args], run: runOn };
      },
      { not_found: toMissingOrder(order), conflict: `Order ${order} ${conflict}` },
    );

  const changePayment = (
    { command, paymentId, args = [] }: { command: string; paymentId: string; args?: string[] },
    run: (tx: Database) => Promise<unknown>,
  ) =>
    change(
      {
        command,
        args: [paymentId, ...args],
        run: async (tx) => {
          await requireLimits(tx, ctx);
          await run(tx);
          return describePaymentOutcome(tx, paymentId);
        },
      },
      {
        not_found: `There is no payment ${paymentId}: check PAYMENT and DATABASE_URL.`,
        conflict: `Payment ${paymentId} is not parked, or the chain may still accept what was signed for it. In that case, wait. If it may be one of the unknown payments that "operate status" lists, account for that one first. "mark-paid" also takes one that is not parked, while payments are off.`,
        address_invalid:
          "The owner of the payment has not saved this address, or it belongs to the exchange. They confirm an address of their own wallet by adding it to their account.",
      },
    );

  return { operator, attempt, change, changeOrder, changePayment };
}

export type CommandRunner = ReturnType<typeof createCommandRunner>;

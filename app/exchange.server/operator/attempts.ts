import type { Logger } from "pino";
import type { Database } from "../db/database";
import { describeError } from "../describe-error";
import { type ErrorCode, ExchangeError } from "../errors";
import { InsufficientBalanceError } from "../ledger/ledger";
import { toOrderId } from "./named-orders";
import { OperatorError } from "./operator-error";

export const toMissingOrder = (named: string): string => `There is no order ${named}: check ORDER and DATABASE_URL.`;

/** Ways to run an operator's command. Each rejects with an `OperatorError` that says what to do if it fails. */
export function createAttempts(db: Database, log: Logger) {
  const attempt = async <T>(action: () => Promise<T>): Promise<T> => {
    try {
      return await action();
    } catch (error) {
      if (error instanceof OperatorError) throw error;
      log.debug({ error: describeError(error) }, "an operator command failed");
      throw new OperatorError("The command failed unexpectedly: set LOG_LEVEL=debug and run it again for details.", {
        cause: error,
      });
    }
  };
  /** Explains a refusal with the message for its code, if there is one. */
  const change = (messages: Partial<Record<ErrorCode, string>>, action: () => Promise<unknown>) =>
    attempt(async () => {
      try {
        await action();
      } catch (error) {
        if (error instanceof InsufficientBalanceError) {
          throw new OperatorError(`${error.message}: add funds and book them with "operate float".`, { cause: error });
        }
        if (!(error instanceof ExchangeError)) throw error;
        throw new OperatorError(messages[error.code] ?? error.message, { cause: error });
      }
    });

  const changeOrder = (named: string, conflict: string, action: (orderId: string) => Promise<unknown>) =>
    change(
      {
        not_found: toMissingOrder(named),
        conflict: `Order ${named} ${conflict}`,
      },
      async () => action(await toOrderId(db, named)),
    );

  const changePayment = (paymentId: string, action: () => Promise<unknown>) =>
    change(
      {
        not_found: `There is no payment ${paymentId}: check PAYMENT and DATABASE_URL.`,
        conflict: `Payment ${paymentId} is not parked, or the chain may still accept what was signed for it: wait. If it may be one of the unknown payments that "operate status" lists, account for that one first. "mark-paid" also takes one that is not parked, while payments are off.`,
        address_invalid:
          "The owner of the payment has not saved this address: they confirm it by adding it to their account.",
      },
      action,
    );

  const changeDeposit = (depositId: string, action: () => Promise<unknown>) =>
    change(
      {
        not_found: `There is no deposit ${depositId}: check DEPOSIT and DATABASE_URL.`,
        conflict: `Deposit ${depositId} cannot be written off: either it is not missing, its loss is booked already, or no payment made with it is final yet.`,
      },
      action,
    );

  return { attempt, changeOrder, changePayment, changeDeposit };
}

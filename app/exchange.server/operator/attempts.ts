import type { Logger } from "pino";
import type { Database } from "../db/database";
import { describeError } from "../describe-error";
import { type ErrorCode, ExchangeError } from "../errors";
import { InsufficientBalanceError } from "../ledger/ledger";
import { toOrderId } from "./named-orders";
import { OperatorError } from "./operator-error";

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
  const changeOrder = (named: string, conflict: string, action: (orderId: string) => Promise<unknown>) =>
    attempt(async () => {
      try {
        await action(await toOrderId(db, named));
      } catch (error) {
        if (error instanceof InsufficientBalanceError) {
          throw new OperatorError(`${error.message}: add funds and book them with "operate float".`, { cause: error });
        }
        if (!(error instanceof ExchangeError)) throw error;
        if (error.code === "not_found") {
          throw new OperatorError(`There is no order ${named}: check ORDER and DATABASE_URL.`, { cause: error });
        }
        if (error.code === "conflict") throw new OperatorError(`Order ${named} ${conflict}`, { cause: error });
        throw new OperatorError(error.message, { cause: error });
      }
    });

  const changePayment = (paymentId: string, action: () => Promise<unknown>) =>
    attempt(async () => {
      try {
        await action();
      } catch (error) {
        if (!(error instanceof ExchangeError)) throw error;
        const messages: Partial<Record<ErrorCode, string>> = {
          not_found: `There is no payment ${paymentId}: check PAYMENT and DATABASE_URL.`,
          conflict: `Payment ${paymentId} is not parked, or the chain may still accept what was signed for it: wait. If it may be one of the unknown payments that "operate status" lists, account for that one first.`,
          address_invalid:
            "The owner of the payment has not saved this address: they confirm it by adding it to their account.",
        };
        throw new OperatorError(messages[error.code] ?? error.message, { cause: error });
      }
    });

  return { attempt, changeOrder, changePayment };
}

import type { Logger } from "pino";
import { StartupError } from "../../lib/startup-error";
import type { ExchangeContext } from "../context";
import { createClock } from "../db/clock";
import type { Database } from "../db/database";
import { openPostgres } from "../db/open";
import type { ExchangeSetup } from "../setup";
import { requireLimits } from "../startup-checks/require-limits";
import { requireSettings } from "../startup-checks/require-settings";
import { createCommandRunner } from "./command-runner";
import { createAccountCommands } from "./commands/accounts";
import { createBooksCommands } from "./commands/books";
import { createDepositCommands } from "./commands/deposits";
import { createOrderCommands } from "./commands/orders";
import { createPaymentCommands } from "./commands/payments";
import { createSwitchCommands } from "./commands/switches";
import { listActions } from "./recorded-actions";
import { readStatus } from "./report";

/** The part of the exchange's settings that commands use. Commands don't call chains, mail servers or providers. */
export type OperatorSetup = Pick<ExchangeSetup, "databaseUrl" | "exchange" | "confirmations" | "networks"> & {
  /** Settings that may be a costly mistake, as sentences. */
  risks: readonly string[];
};

/**
 * @param operatorName who runs the commands: it is recorded with each change
 * @throws StartupError if there is no DATABASE_URL or its database cannot be opened
 */
export async function openOperator(setup: OperatorSetup, log: Logger, operatorName: string) {
  if (setup.databaseUrl === null) {
    throw new StartupError("The operator needs the exchange's PostgreSQL: set DATABASE_URL.");
  }
  /**
   * With another network's settings, payments would be wrong; with another secret, queued e-mails could not be read.
   */
  const requireSettingsOfSite = (database: Database) =>
    requireSettings(database, setup, "run the command with the environment of the site (EXCHANGE_MODE, DATABASE_URL).");
  const { db, close } = await openPostgres(setup.databaseUrl, {
    poolSize: 1,
    migrates: false,
    check: requireSettingsOfSite,
  });
  // Only the running exchange calls chains, the mail server and the identity provider. The operator needs
  // the number of confirmations to plan payments, and nothing else of a chain.
  const chains = {
    USDT: { requiredConfirmations: setup.confirmations.USDT },
    MOB: { requiredConfirmations: setup.confirmations.MOB },
  };
  const ctx: ExchangeContext = { db, clock: createClock(), log, config: setup.exchange, chains };
  const runner = createCommandRunner(ctx, operatorName, () => requireSettingsOfSite(db));
  const { attempt } = runner;

  return {
    /** @returns which switches are on, what the treasury holds and what waits for an operator */
    getStatus: () =>
      attempt(async () => ({
        ...(await readStatus(ctx)),
        settings: await findStartupError(() => requireSettingsOfSite(db).then(() => requireLimits(db, ctx))),
        risks: setup.risks,
      })),
    /** @returns the newest changes that operators have made, oldest first */
    listActions: () => attempt(() => listActions(db)),
    ...createSwitchCommands(db, runner),
    ...createOrderCommands(ctx, runner),
    ...createPaymentCommands(ctx, runner),
    ...createDepositCommands(ctx, runner),
    ...createBooksCommands(ctx, runner),
    ...createAccountCommands(ctx, runner),
    close,
  };
}

/** @returns what is wrong, or null */
async function findStartupError(check: () => Promise<void>): Promise<string | null> {
  try {
    await check();
    return null;
  } catch (error) {
    if (error instanceof StartupError) return error.message;
    throw error;
  }
}

/**
 * What an operator can do to a running exchange, through its PostgreSQL. Each step is one
 * transaction, which the running processes see. There is no operator for an embedded database,
 * because only one process can open it.
 *
 * Every method rejects with an `OperatorError` if it cannot be done.
 */
export type Operator = Awaited<ReturnType<typeof openOperator>>;

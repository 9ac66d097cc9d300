import { desc } from "drizzle-orm";
import { toOneLine } from "../../lib/one-line";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { operatorActions } from "../db/schema/operator-actions";

/** A command that changes something. `run` gets the time of its start, and returns what it has done, one line each. */
export type Action = {
  command: string;
  /** With the IDs of orders and accounts, however the operator referred to them: e-mail addresses are not stored. */
  args: string[];
  run(tx: Database, at: Date): Promise<string[]>;
};

/** A recorded action, as `operate actions` shows it. */
export type ActionReport = { at: string; operator: string; command: string; arguments: string[]; result: string[] };

/**
 * Runs an action and records it in the same transaction, so that the record says whether it was done, even if the
 * connection was lost during the commit. It is also logged: a restored backup lacks the newest records.
 * @returns what it has done
 */
export async function recordAction(
  { db, clock, log }: Pick<ExchangeContext, "db" | "clock" | "log">,
  operator: string,
  { command, args, run }: Action,
): Promise<string[]> {
  const row = { operator, command, arguments: args.map(toOneLine) };
  const result = await db.transaction(async (tx) => {
    const at = await clock.now(tx);
    const done = await run(tx, at);
    await tx.insert(operatorActions).values({ ...row, at, result: done });
    return done;
  });
  log.info({ ...row, result }, "an operator has changed something");
  return result;
}

/** The newest actions of operators, oldest first. */
export async function listActions(db: Database): Promise<ActionReport[]> {
  const rows = await db.select().from(operatorActions).orderBy(desc(operatorActions.id)).limit(100);
  return rows.reverse().map(({ id: _, at, ...row }) => ({ at: at.toISOString(), ...row }));
}

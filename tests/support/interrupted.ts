import type { RunningContext } from "~/exchange.server/context";
import type { Database } from "~/exchange.server/db/database";

/** The context of a job. `before` happens once: after the job has read what is due, before it locks the first. */
export function interrupted(ctx: RunningContext, before: () => Promise<unknown>): RunningContext {
  let isDone = false;
  const transaction: Database["transaction"] = async (work, config) => {
    if (!isDone) {
      isDone = true;
      await before();
    }
    return ctx.db.transaction(work, config);
  };
  return { ...ctx, db: Object.create(ctx.db, { transaction: { value: transaction } }) };
}

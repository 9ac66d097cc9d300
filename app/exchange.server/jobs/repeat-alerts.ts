import { asc, ne } from "drizzle-orm";
import { listAlerts } from "../alerts/alerts";
import type { ExchangeContext } from "../context";
import { switches } from "../db/schema/switches";

/**
 * Job: logs again, at level `fatal`, what waits for an operator, and why the exchange itself has stopped swaps or
 * payments. The first line may have been lost with the process or the log. What an operator has switched off is left out.
 */
export async function repeatAlerts({ db, log }: Pick<ExchangeContext, "db" | "log">): Promise<void> {
  for (const { subject, orderId: order, reason, action, since } of await listAlerts(db))
    log.fatal({ subject, order, reason, action, since }, "an alert still waits for the operator");
  const stops = await db
    .select()
    .from(switches)
    .where(ne(switches.cause, switches.reason))
    .orderBy(asc(switches.since));
  for (const { name, cause, reason, since } of stops)
    log.fatal({ name, cause, reason, since }, "new swaps or payments are still stopped");
}

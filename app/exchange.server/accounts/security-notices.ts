import { hourMs } from "../../lib/durations";
import type { ExchangeContext, Mail } from "../context";
import type { Database } from "../db/database";
import { consumeEventLimits } from "../limits/event-limits";
import { queueMail } from "../mail/queue-mail";

/** How many notices of an account are urgent in an hour. An account's owner can trigger any number of them. */
const urgentPerHour = 10;

/**
 * Queues an e-mail that tells the owner about the security of their account. An address that is not verified gets none:
 * it may be someone else's.
 */
export async function queueSecurityNotice(
  tx: Database,
  ctx: ExchangeContext,
  account: { id: string; emailVerifiedAt: Date | null },
  { mail, now }: { mail: Mail; now: Date },
): Promise<void> {
  if (account.emailVerifiedAt === null) return;
  const limit = { key: `notices:${account.id}`, windows: [{ max: urgentPerHour, ms: hourMs }] };
  const isUrgent = (await consumeEventLimits(tx, [limit], now)) !== null;
  await queueMail(tx, ctx, mail, { now, isUrgent });
}

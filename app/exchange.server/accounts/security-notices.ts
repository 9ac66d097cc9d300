import { hourMs } from "../../lib/durations";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { ExchangeError } from "../errors";
import { consumeEventLimits, toRetryAfterSeconds } from "../limits/event-limits";
import { queueMail } from "../mail/queue-mail";
import type { EmailTemplate } from "../mail/template";

/** How many of an account's notices per hour are sent as urgent. The owner can trigger more. */
const urgentPerHour = 10;

/** How many actions of each kind that notify the owner an account may perform per hour. */
const actionsPerHour = { exports: 5, "muted-mails": 10, "added-passkeys": 20, "added-addresses": 20 } as const;

/**
 * Counts an action whose notice is sent. Without a limit, someone with a stolen session could bury the notices about
 * their actions under others (T25). @throws rate_limited
 */
export async function limitNotifiedAction(
  tx: Database,
  action: keyof typeof actionsPerHour,
  accountId: string,
  now: Date,
): Promise<void> {
  const limit = { key: `${action}:${accountId}`, windows: [{ max: actionsPerHour[action], ms: hourMs }] };
  if ((await consumeEventLimits(tx, [limit], now)) !== null) return;
  const message = "You have done this several times in the last hour. Try again later.";
  throw new ExchangeError("rate_limited", { message, retryAfterSeconds: await toRetryAfterSeconds(tx, [limit], now) });
}

/** How many notices per hour an account gets about an action that is not limited. */
const noticesPerHour = { "ended-sessions": 5 } as const;

/**
 * Whether to send the owner another notice about an action. The action itself cannot be limited, because the owner may
 * need it to stop a thief (T12). The first notices of an hour are enough; more would only bury other e-mails (T25).
 */
export async function mayRepeatNotice(
  tx: Database,
  action: keyof typeof noticesPerHour,
  accountId: string,
  now: Date,
): Promise<boolean> {
  const limit = { key: `notices-of-${action}:${accountId}`, windows: [{ max: noticesPerHour[action], ms: hourMs }] };
  return (await consumeEventLimits(tx, [limit], now)) !== null;
}

/**
 * Queues an e-mail that tells the owner about the security of their account. Nothing is sent to an address that is not
 * verified, because it may be someone else's.
 */
export async function queueSecurityNotice(
  tx: Database,
  ctx: ExchangeContext,
  account: { id: string; emailVerifiedAt: Date | null },
  { mail, now }: { mail: EmailTemplate; now: Date },
): Promise<void> {
  if (account.emailVerifiedAt === null) return;
  const limit = { key: `notices:${account.id}`, windows: [{ max: urgentPerHour, ms: hourMs }] };
  const isUrgent = (await consumeEventLimits(tx, [limit], now)) !== null;
  await queueMail(tx, ctx, mail, { now, isUrgent });
}

import { asc, sql } from "drizzle-orm";
import { addMs, minuteMs } from "../../lib/durations";
import { clearAlert, raiseAlert } from "../alerts/alerts";
import type { ExchangeContext } from "../context";
import { mailFailures } from "../db/schema/mail";
import { authenticate, deriveKey } from "../secrets";

const alertSubject = "mail";
/** A mail server may ask us to try again later; several attempts fail only if something is wrong. */
const reportAfterMs = 10 * minuteMs;
/** If the mail server refuses this many recipients and nothing is sent, the recipients are not the cause. */
const manyRefused = 3;

/** An e-mail that could not be sent. `to` is null if it could not be read. */
export type MailFailure = { error: unknown; to: string | null; at: Date };

/**
 * Records what could not be sent in a run that sent nothing, and alerts an operator if no e-mail has been sent for a
 * long time since the first failure, unless the mail server only refuses a recipient or two. Every such run calls this,
 * because codes may expire before the alert is due, and there may be nothing else in the queue.
 */
export async function reportMailOutage(ctx: ExchangeContext, failures: readonly MailFailure[]): Promise<void> {
  const bySubject = new Map(failures.map((failure) => [toSubject(ctx, failure), failure]));
  const rows = [...bySubject].map(([subject, { error, at }]) => ({ subject, cause: toCause(error), since: at }));
  if (rows.length > 0) {
    const update = { target: mailFailures.subject, set: { cause: sql`excluded.cause` } };
    await ctx.db.insert(mailFailures).values(rows).onConflictDoUpdate(update);
  }
  const known = await ctx.db.select().from(mailFailures).orderBy(asc(mailFailures.since)).limit(100);
  const ofServer = known.find(({ subject }) => subject === "server");
  const first = ofServer ?? (known.length >= manyRefused ? known[0] : undefined);
  const now = await ctx.clock.now(ctx.db);
  if (!first || first.since > addMs(now, -reportAfterMs)) return;
  const reason = `E-mails have not been sent since ${first.since.toISOString()} (${first.cause}). Customers may not receive codes or updates about their swaps. We keep trying.`;
  await raiseAlert(ctx.db, ctx, { subject: alertSubject, reason, action: "Check SMTP_URL and MAIL_FROM.", at: now });
}

/** Deletes the recorded failures. Call it after an e-mail was sent. */
export async function endMailOutage(ctx: ExchangeContext): Promise<void> {
  await ctx.db.delete(mailFailures);
  await clearAlert(ctx.db, alertSubject);
}

/** The cause of a failure: the recipient or message that the mail server refuses, or the server. */
function toSubject(ctx: ExchangeContext, { error, to }: MailFailure): string {
  const isRecipient = isRefusedForGood(error) || toMailError(error).command === "RCPT TO";
  if (!isRecipient || to === null) return "server";
  return authenticate(deriveKey(ctx.config.secret, "outbox-recipient"), to).toString("base64url");
}

function toCause(error: unknown): string {
  const { code, responseCode } = toMailError(error);
  return [code, responseCode].filter((part) => part !== undefined).join(" ") || "no reason given";
}

/** Whether the mail server has refused the recipient or the message, and will always do so. */
export function isRefusedForGood(error: unknown): boolean {
  const { command, responseCode = 0 } = toMailError(error);
  return (command === "RCPT TO" || command === "DATA") && responseCode >= 500;
}

type MailError = { name: string; code?: string; command?: string; responseCode?: number };

/** What nodemailer says about a failure, without its message, which may contain the recipient's address. */
export function toMailError(error: unknown): MailError {
  if (!(error instanceof Error)) return { name: "unknown" };
  return {
    name: error.name,
    ...("code" in error && typeof error.code === "string" && { code: error.code }),
    ...("command" in error && typeof error.command === "string" && { command: error.command }),
    ...("responseCode" in error && typeof error.responseCode === "number" && { responseCode: error.responseCode }),
  };
}

import { and, asc, gt, lte } from "drizzle-orm";
import { addMs, minuteMs } from "../../lib/durations";
import { clearAlert, raiseAlert } from "../alerts/alerts";
import type { ExchangeContext } from "../context";
import { outbox } from "../db/schema/mail";

const subject = "mail";
/** A mail server may ask us to try again later; several attempts fail only if something is wrong. */
const reportAfterMs = 15 * minuteMs;
/** If the mail server refuses as many e-mails for their recipients, it is not their recipients. */
const manyRefused = 3;

/**
 * Alerts an operator while e-mails have failed for long, unless the mail server only refuses a recipient or two.
 * @param failure why the last e-mail could not be sent; null if none has failed
 */
export async function reportOutage(ctx: ExchangeContext, failure: unknown): Promise<void> {
  const now = await ctx.clock.now(ctx.db);
  const late = await ctx.db
    .select({ createdAt: outbox.createdAt })
    .from(outbox)
    .where(and(gt(outbox.attempts, 0), lte(outbox.createdAt, addMs(now, -reportAfterMs))))
    .orderBy(asc(outbox.createdAt))
    .limit(manyRefused);
  const [oldest] = late;
  if (!oldest) return clearAlert(ctx.db, subject);
  const { code, command, responseCode } = toMailError(failure);
  if (failure === null || (command === "RCPT TO" && late.length < manyRefused)) return;
  const cause = [code, responseCode].filter((part) => part !== undefined).join(" ") || "no reason given";
  const reason = `E-mails have not been sent since ${oldest.createdAt.toISOString()} (${cause}). Customers may not receive codes or updates about their swaps. We keep trying.`;
  await raiseAlert(ctx.db, ctx, { subject, reason, action: "Check SMTP_URL and MAIL_FROM.", at: now });
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

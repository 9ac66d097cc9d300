import { minuteMs } from "../../lib/durations";
import { clearAlert, raiseAlert } from "../alerts/alerts";
import type { ExchangeContext } from "../context";

const subject = "mail";
/** A mail server may ask us to try again later; several attempts fail only if something is wrong. */
const reportAfterMs = 15 * minuteMs;

/** Alerts an operator if an e-mail has waited for long, unless the mail server refuses only its recipient. */
export async function reportUnsent(
  ctx: ExchangeContext,
  { createdAt }: { createdAt: Date },
  { now, error }: { now: Date; error: unknown },
): Promise<void> {
  const { code, responseCode } = toMailError(error);
  if (code === "EENVELOPE" || now.getTime() - createdAt.getTime() < reportAfterMs) return;
  const cause = [code, responseCode].filter((part) => part !== undefined).join(" ") || "no reason given";
  const reason = `An e-mail has not been sent since ${createdAt.toISOString()} (${cause}): check SMTP_URL and MAIL_FROM. Nobody gets codes or news of their swaps. We keep trying.`;
  await raiseAlert(ctx.db, ctx, { subject, reason, at: now });
}

/** Ends the alert: an e-mail that had failed before was sent. */
export async function reportSent(ctx: ExchangeContext): Promise<void> {
  await clearAlert(ctx.db, subject);
}

/** What nodemailer says about a failure, without its message, which may contain the recipient's address. */
export function toMailError(error: unknown): { name: string; code?: string; responseCode?: number } {
  if (!(error instanceof Error)) return { name: "unknown" };
  return {
    name: error.name,
    ...("code" in error && typeof error.code === "string" && { code: error.code }),
    ...("responseCode" in error && typeof error.responseCode === "number" && { responseCode: error.responseCode }),
  };
}

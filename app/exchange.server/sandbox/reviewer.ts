import { eq } from "drizzle-orm";
import type { KycDecision, KycProvider } from "../context";
import type { Clock } from "../db/clock";
import type { Database } from "../db/database";
import { readWebhook } from "../kyc/webhook-signature";
import { sandboxReviews } from "./tables";

type Verdict = Pick<KycDecision, "status" | "reasons">;

/** What a last name decides; all others are approved. */
const verdicts: Record<string, Verdict> = {
  reject: { status: "rejected", reasons: ["The document could not be read. Check the number and try again."] },
  action: {
    status: "action_required",
    reasons: ["The name differs from the one in the document. Send it as it stands there."],
  },
  pending: { status: "pending", reasons: [] },
};

type ReviewerOptions = {
  db: Database;
  clock: Clock;
  /** How long a review takes, in milliseconds. */
  delayMs: number;
  /** Key of signed messages to /api/kyc/webhook; without one every message is refused. */
  webhookSecret?: string;
};

/**
 * The sandbox's reviewer. The verdict and the time from which it is told are written down
 * when an application comes in, so that a restart changes neither.
 */
export function createSandboxReviewer({ db, clock, delayMs, webhookSecret }: ReviewerOptions): KycProvider {
  return {
    name: "sandbox",
    async submit(reference, application) {
      const verdict = verdicts[application.last_name.trim().toLowerCase()] ?? { status: "approved", reasons: [] };
      const decideAt = new Date((await clock.now(db)).getTime() + delayMs);
      await db
        .insert(sandboxReviews)
        .values({ reference, ...verdict, decideAt })
        .onConflictDoNothing();
    },
    async getDecision(reference) {
      const [review] = await db.select().from(sandboxReviews).where(eq(sandboxReviews.reference, reference));
      if (!review || review.status === "pending" || review.decideAt > (await clock.now(db))) return null;
      return { status: review.status, reasons: review.reasons, decidedAt: review.decideAt };
    },
    parseWebhook(rawBody, headers, now) {
      if (webhookSecret === undefined) throw new Error("the sandbox's reviewer sends no messages");
      return readWebhook(webhookSecret, rawBody, headers, now);
    },
  };
}

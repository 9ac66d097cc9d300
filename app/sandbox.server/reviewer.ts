import { eq } from "drizzle-orm";
import type { KycDecision, KycProvider } from "../exchange.server/context";
import type { Clock } from "../exchange.server/db/clock";
import type { Database } from "../exchange.server/db/database";
import { sandboxReviews } from "../exchange.server/db/schema/sandbox";
import { verifyWebhook } from "../exchange.server/kyc/webhook-signature";
import { addMs } from "../lib/durations";

type Decision = Pick<KycDecision, "status" | "reasons">;

/** The last names that are not approved. */
const decisionsByLastName: ReadonlyMap<string, Decision> = new Map([
  ["reject", { status: "rejected", reasons: ["We couldn't read your document. Check its number and try again."] }],
  [
    "action",
    {
      status: "action_required",
      reasons: ["Your name doesn't match your document. Enter it exactly as on the document."],
    },
  ],
  ["pending", { status: "pending", reasons: [] }],
]);

/** The sandbox's decision about an applicant with this last name. */
export function decideByLastName(lastName: string): Decision {
  return decisionsByLastName.get(lastName.trim().toLowerCase()) ?? { status: "approved", reasons: [] };
}

type ReviewerOptions = {
  db: Database;
  clock: Clock;
  /** The time from an application to its decision, in milliseconds. */
  delayMs: number;
  /** The key of webhooks to /api/kyc/webhook. Without one every webhook is refused. */
  webhookSecret?: string;
};

/**
 * Replaces the identity provider. The decision and its time are stored when an application is
 * submitted, so that a restart changes neither.
 */
export function createSandboxReviewer({ db, clock, delayMs, webhookSecret }: ReviewerOptions): KycProvider {
  return {
    name: "sandbox",
    async submit(reference, application) {
      const decision = decideByLastName(application.last_name);
      const decideAt = addMs(await clock.now(db), delayMs);
      await db
        .insert(sandboxReviews)
        .values({ reference, ...decision, decideAt })
        .onConflictDoNothing();
    },
    async getDecision(reference) {
      const [review] = await db.select().from(sandboxReviews).where(eq(sandboxReviews.reference, reference));
      if (!review || review.status === "pending" || review.decideAt > (await clock.now(db))) return null;
      return { status: review.status, reasons: review.reasons, decidedAt: review.decideAt };
    },
    parseWebhook(rawBody, headers, now) {
      if (webhookSecret === undefined) throw new Error("the sandbox's reviewer sends no webhooks");
      return verifyWebhook(webhookSecret, rawBody, headers, now);
    },
  };
}

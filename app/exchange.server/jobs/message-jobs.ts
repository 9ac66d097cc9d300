/** The jobs that exchange messages with others: e-mails and push messages to customers, and the identity reviewer. */
import type { RunningContext } from "../context";
import { hasQueued } from "../db/queue";
import { outbox } from "../db/schema/mail";
import { pushMessages } from "../db/schema/push";
import { followApplications, hasKycWork } from "../kyc/follow-applications";
import { startSending } from "../mail/outbox";
import { startPushing } from "../push/send-pushes";
import type { Job } from "./job";

/** The jobs that send e-mails and push messages, and follow identity checks. */
export function createMessageJobs(ctx: RunningContext): Job[] {
  return [
    {
      name: "send-mail",
      everyMs: 1_000,
      run: () => startSending(ctx),
      wakeOn: "mail",
      hasWork: () => hasQueued(ctx.db, outbox),
    },
    {
      name: "send-pushes",
      everyMs: 1_000,
      run: () => startPushing(ctx),
      wakeOn: "push",
      hasWork: () => hasQueued(ctx.db, pushMessages),
    },
    {
      name: "review-kyc",
      everyMs: 1_000,
      run: () => followApplications(ctx),
      wakeOn: "kyc",
      hasWork: () => hasKycWork(ctx),
    },
  ];
}

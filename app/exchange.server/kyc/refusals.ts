import { and, countDistinct, eq, gt, isNull, max } from "drizzle-orm";
import { clearAlert, raiseAlert } from "../alerts/alerts";
import type { RunningContext } from "../context";
import { kycApplications } from "../db/schema/kyc";
import type { KycRefusedError } from "./refused-error";

const alertSubject = "identity-checks:refused";
/** If the applications of this many customers are refused and none is accepted, the customers are not at fault. */
const manyRefused = 3;

/** Alerts an operator if the provider refuses everyone's application, such as after a change of its API. */
export async function reportRefusals(ctx: RunningContext, { message }: KycRefusedError): Promise<void> {
  const { accountId, decidedAt, provider, status, submittedAt } = kycApplications;
  const isOurs = eq(provider, ctx.kyc.name);
  const [accepted] = await ctx.db
    .select({ at: max(submittedAt) })
    .from(kycApplications)
    .where(isOurs);
  const isSince = accepted?.at ? gt(decidedAt, accepted.at) : undefined;
  const [refused] = await ctx.db
    .select({ customers: countDistinct(accountId) })
    .from(kycApplications)
    .where(and(isOurs, eq(status, "action_required"), isNull(submittedAt), isSince));
  const customers = refused?.customers ?? 0;
  if (customers < manyRefused) return;
  await raiseAlert(ctx.db, ctx, {
    subject: alertSubject,
    reason: `The applications of ${customers} customers in a row were refused (${message}). They were asked to send their details again, and no application has been accepted since.`,
    action: "Check KYC_URL, and ask the identity provider what is wrong with the applications.",
    at: await ctx.clock.now(ctx.db),
  });
}

/** Call it after the provider has accepted an application. */
export async function endRefusals({ db }: RunningContext): Promise<void> {
  await clearAlert(db, alertSubject);
}

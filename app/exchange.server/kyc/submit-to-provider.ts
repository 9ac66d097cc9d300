import { and, eq, isNull } from "drizzle-orm";
import type { RunningContext } from "../context";
import { kycApplications } from "../db/schema/kyc";
import { tryUnsealDetails } from "./details";
import { endRefusals } from "./refusals";
import { KycRefusedError } from "./refused-error";

/** Submits one application to the provider. Submitting twice is harmless. @throws KycRefusedError */
export async function submitToProvider(ctx: RunningContext, id: string): Promise<void> {
  const [row] = await ctx.db
    .select()
    .from(kycApplications)
    .where(and(eq(kycApplications.id, id), isNull(kycApplications.submittedAt)));
  if (!row) return;
  const details = tryUnsealDetails(ctx.config, row);
  if (details === null) throw new KycRefusedError("the details were encrypted with another SESSION_SECRET");
  await ctx.kyc.submit(id, details);
  await ctx.db
    .update(kycApplications)
    .set({ submittedAt: await ctx.clock.now(ctx.db) })
    .where(eq(kycApplications.id, id));
  await endRefusals(ctx);
}

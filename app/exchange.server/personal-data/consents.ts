import { desc, eq } from "drizzle-orm";
import type { ConsentRequest, Consents } from "../../api/contract";
import type { Caller } from "../accounts/caller";
import { requireOpenSession } from "../accounts/open-session";
import type { ExchangeContext } from "../context";
import { consents } from "../db/schema/accounts";

/** The most versions to list. Documents change far less often. */
const maxListed = 100;

/** The newest versions of the operator's documents that the caller has accepted. */
export async function listConsents({ db }: ExchangeContext, { accountId }: Caller): Promise<Consents> {
  const rows = await db
    .select()
    .from(consents)
    .where(eq(consents.accountId, accountId))
    .orderBy(desc(consents.acceptedAt), consents.document)
    .limit(maxListed);
  const items = rows.map(({ document, version, acceptedAt }) => ({
    ...{ document, version },
    accepted_at: acceptedAt.toISOString(),
  }));
  return { items };
}

/**
 * Records what the caller accepts. The first time counts: accepting a version again changes nothing.
 * @throws token_expired if the session has ended
 */
export async function recordConsents(
  ctx: ExchangeContext,
  caller: Caller,
  { accepted }: ConsentRequest,
): Promise<Consents> {
  await ctx.db.transaction(async (tx) => {
    await requireOpenSession(tx, caller);
    const acceptedAt = await ctx.clock.now(tx);
    await tx
      .insert(consents)
      .values(accepted.map((entry) => ({ ...entry, accountId: caller.accountId, acceptedAt })))
      .onConflictDoNothing();
  });
  return listConsents(ctx, caller);
}

import { desc, eq } from "drizzle-orm";
import type { ConsentRequest, Consents } from "../../api/contract";
import type { Caller } from "../accounts/caller";
import { requireOpenSession } from "../accounts/require-open-session";
import type { ExchangeContext } from "../context";
import { lockFor } from "../db/database";
import { consents } from "../db/schema/accounts";
import { ExchangeError } from "../errors";

/** The most versions that an account may accept. Documents change far less often. */
const maxPerAccount = 100;

/** The newest versions of the operator's documents that the caller has accepted. */
export async function listConsents({ db }: ExchangeContext, { accountId }: Caller): Promise<Consents> {
  const rows = await db
    .select()
    .from(consents)
    .where(eq(consents.accountId, accountId))
    .orderBy(desc(consents.acceptedAt), consents.document)
    .limit(maxPerAccount);
  const items = rows.map(({ document, version, acceptedAt }) => ({
    document,
    version,
    accepted_at: acceptedAt.toISOString(),
  }));
  return { items };
}

/**
 * Records what the caller accepts. Accepting a version again has no effect.
 * @throws invalid if the account has accepted too many versions, token_expired if the session has ended
 */
export async function recordConsents(
  ctx: ExchangeContext,
  caller: Caller,
  { accepted }: ConsentRequest,
): Promise<Consents> {
  const { accountId } = caller;
  await ctx.db.transaction(async (tx) => {
    // One call per account at a time, so that parallel calls cannot exceed the limit.
    await lockFor(tx, `consents:${accountId}`);
    await requireOpenSession(tx, caller);
    const acceptedAt = await ctx.clock.now(tx);
    await tx
      .insert(consents)
      .values(accepted.map((entry) => ({ ...entry, accountId, acceptedAt })))
      .onConflictDoNothing();
    if ((await tx.$count(consents, eq(consents.accountId, accountId))) > maxPerAccount)
      throw new ExchangeError("invalid", { message: "You have accepted the maximum number of versions." });
  });
  return listConsents(ctx, caller);
}

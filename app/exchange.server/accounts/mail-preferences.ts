import { eq } from "drizzle-orm";
import type { MailPreferences, MailPreferencesChange } from "../../api/contract";
import { type SwapMail, swapMails } from "../../lib/swap-mails";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { accounts } from "../db/schema/accounts";
import { invariant } from "../errors";
import { mailsMutedMail } from "../mail/messages/account";
import type { Caller } from "./caller";
import { requireOpenSession } from "./require-open-session";
import { limitNotifiedAction, queueSecurityNotice } from "./security-notices";

/**
 * Turns e-mails on or off; others stay as they are. Turning one off sends an e-mail, because someone with access to
 * the account could do it to hide a swap from the owner.
 * @throws token_expired if the session has ended, rate_limited
 */
export async function changeMailPreferences(
  ctx: ExchangeContext,
  caller: Caller,
  change: MailPreferencesChange,
): Promise<MailPreferences> {
  const mutedMails = await ctx.db.transaction(async (tx) => {
    // Locks the account, so that parallel changes do not overwrite each other.
    const [account] = await selectAccount(tx, caller).for("no key update");
    invariant(account, "the caller has an account");
    await requireOpenSession(tx, caller);
    const wanted = { ...toMailPreferences(account.mutedMails), ...change };
    const muted = swapMails.filter((mail) => !wanted[mail]);
    await tx.update(accounts).set({ mutedMails: muted }).where(eq(accounts.id, caller.accountId));
    const newly = muted.filter((mail) => !account.mutedMails.includes(mail));
    if (newly.length > 0) {
      const now = await ctx.clock.now(tx);
      await limitNotifiedAction(tx, "muted-mails", account.id, now);
      await queueSecurityNotice(tx, ctx, account, { mail: mailsMutedMail(account.email, newly, now), now });
    }
    return muted;
  });
  return toMailPreferences(mutedMails);
}

function selectAccount(db: Database, { accountId }: Caller) {
  const { id, email, emailVerifiedAt, mutedMails } = accounts;
  return db.select({ id, email, emailVerifiedAt, mutedMails }).from(accounts).where(eq(accounts.id, accountId));
}

/** Which e-mails about swaps an account gets. */
export function toMailPreferences(muted: readonly SwapMail[]): MailPreferences {
  const isOn = (mail: SwapMail) => !muted.includes(mail);
  return { payment_seen: isOn("payment_seen"), paid_out: isOn("paid_out"), refunded: isOn("refunded") };
}

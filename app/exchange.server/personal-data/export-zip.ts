import { eq } from "drizzle-orm";
import { byteOrderMark, toCsvLine } from "../../lib/csv";
import type { Caller } from "../accounts/caller";
import { requireFreshPasskey } from "../accounts/fresh-passkey";
import { requireNoRecoveryHold } from "../accounts/recovery-hold";
import { limitNotifiedAction, queueSecurityNotice } from "../accounts/security-notices";
import type { ExchangeContext } from "../context";
import { accounts } from "../db/schema/accounts";
import { invariant } from "../errors";
import { dataExportedMail } from "../mail/messages/account";
import { listSections, type Section } from "./sections";
import { toZip } from "./zip";

/**
 * Everything that we keep about the caller, as a zip: each list as JSON and as CSV. It contains identity details, so it
 * needs a recently verified passkey, is refused after a recovery, and the owner is told by e-mail (T72).
 * @throws passkey_required, passkey_too_old, recovered_recently, rate_limited
 */
export async function exportPersonalData(ctx: ExchangeContext, caller: Caller): Promise<ReadableStream<Uint8Array>> {
  const { account, now } = await ctx.db.transaction(async (tx) => {
    const now = await ctx.clock.now(tx);
    requireFreshPasskey(ctx, caller, now);
    const [account] = await tx.select().from(accounts).where(eq(accounts.id, caller.accountId));
    invariant(account, "the caller has an account");
    requireNoRecoveryHold(account, now);
    await limitNotifiedAction(tx, "exports", account.id, now);
    await queueSecurityNotice(tx, ctx, account, { mail: dataExportedMail(account.email, now), now });
    return { account, now };
  });
  const profile = {
    id: account.id,
    email: account.email,
    email_verified_at: account.emailVerifiedAt,
    created_at: account.createdAt,
    identity: account.kycStatus,
    is_active: account.isActive,
    e_mails_turned_off: account.mutedMails,
    payouts_wait_until: account.payoutsWaitUntil,
    exported_at: now,
  };
  return toZip(
    [
      { name: "README.txt", pieces: [readme] },
      { name: "account.json", pieces: [`${JSON.stringify(profile, null, 2)}\n`] },
      ...listSections(ctx, caller).flatMap((section) => [
        { name: `${section.name}.json`, pieces: toJson(section) },
        { name: `${section.name}.csv`, pieces: toCsv(section) },
      ]),
    ],
    now,
  );
}

const readme = `Your data at Antelope

account           your account
verification      the details that you sent for identity checks, and the results
addresses         addresses that you saved, including removed ones if a swap
                  used them
swaps             your swaps; the lists below name them by their number
swap-history      what happened to your swaps, and when
deposits          payments that we received for your swaps
payments          payments that we sent to you
prices            prices that you asked for; those that you didn't lock are
                  deleted 30 days after they have expired
price-alerts      price alerts that you have set
notified-browsers browsers that get notifications about your swaps
passkeys          your passkeys, without their keys
sessions          devices that are or were signed in
known-networks    when you last signed in from each network
consents          versions of the terms and the privacy notice that you accepted

Each list is included twice: as JSON for programs and as CSV for spreadsheets.
Times are in UTC. Amounts are in the unit of the asset.

Not included: e-mails, of which we keep no copies once they are sent; keys and
sign-in codes, of which we keep only fingerprints; counters that prevent abuse,
which we delete after a day; and our own record of what our staff has changed.
`;

async function* toJson({ columns, readPages }: Section): AsyncGenerator<string, void> {
  yield "[";
  let isFirst = true;
  for await (const rows of readPages()) {
    const entries = rows.map((row) => JSON.stringify(Object.fromEntries(columns.map((name, i) => [name, row[i]]))));
    if (entries.length > 0) yield `${isFirst ? "" : ","}\n  ${entries.join(",\n  ")}`;
    isFirst = isFirst && entries.length === 0;
  }
  yield "\n]\n";
}

async function* toCsv({ columns, readPages }: Section): AsyncGenerator<string, void> {
  yield byteOrderMark + toCsvLine(columns);
  for await (const rows of readPages()) {
    yield rows
      .map((row) => toCsvLine(row.map((cell) => (cell instanceof Date ? cell.toISOString() : String(cell ?? "")))))
      .join("");
  }
}

import type { Tokens } from "../../api/contract";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { issueDeviceToken } from "./device-tokens";
import { recordNetwork } from "./known-networks";
import { type NewSession, openSession } from "./sessions";

/** Who signed in, how, and from where. `isVerified`: the account's e-mail address is verified. */
type SignIn = Omit<NewSession, "accountId"> & {
  account: { id: string; email: string };
  isVerified: boolean;
  remoteAddress: string | undefined;
};

/**
 * Opens a session after a sign-in. If the address is verified, the network becomes known and the browser gets a device
 * token, so that later requests for codes from either do not share their limits with strangers (T25). If it is not
 * verified, it may be someone else's address.
 */
export async function signIn(
  tx: Database,
  ctx: ExchangeContext,
  { account, isVerified, remoteAddress, ...session }: SignIn,
  now: Date,
): Promise<Tokens> {
  const tokens = await openSession(tx, ctx, { ...session, accountId: account.id }, now);
  if (!isVerified) return tokens;
  await recordNetwork(tx, ctx, { email: account.email, remoteAddress, now });
  return { ...tokens, device_token: issueDeviceToken(ctx, account.email, now) };
}

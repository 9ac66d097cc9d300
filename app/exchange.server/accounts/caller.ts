import type { KycStatus, User } from "../../api/contract";
import type { SwapMail } from "../../lib/swap-mails";
import { ExchangeError } from "../errors";

/** The account and session behind the token in X-Auth-Token. Read once per request. */
export type Caller = {
  accountId: string;
  sessionId: string;
  email: string;
  emailVerified: boolean;
  /** How the session was opened. Endpoints that move money require "passkey". */
  method: "email" | "passkey";
  /** When the session began. */
  signedInAt: Date;
  /** When a passkey was last verified in this session. */
  passkeyAt: Date | null;
  isActive: boolean;
  isBlocked: boolean;
  kycStatus: KycStatus;
  payoutsWaitUntil: Date | null;
  /** The e-mails about swaps that the account turned off. */
  mutedMails: readonly SwapMail[];
  /** When the account was created. */
  createdAt: Date;
};

/** C02. The caller's account in the API's form. */
export function toUser(caller: Caller): User {
  return {
    id: caller.accountId,
    email: caller.email,
    email_verified: caller.emailVerified,
    created_at: caller.createdAt.toISOString(),
    is_active: caller.isActive,
    kyc_status: caller.kycStatus,
    passkey_authenticated: caller.method === "passkey",
    payouts_wait_until: caller.payoutsWaitUntil?.toISOString() ?? null,
  };
}

/** @throws email_unproven */
export function requireVerifiedEmail(caller: Pick<Caller, "emailVerified">): void {
  if (!caller.emailVerified) throw new ExchangeError("email_unproven");
}

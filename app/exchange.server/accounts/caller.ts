import type { KycStatus } from "../../api/contract";
import type { SwapMail } from "../../lib/swap-mails";

/** The account and session behind the token in X-Auth-Token. Read once per request. */
export type Caller = {
  accountId: string;
  sessionId: string;
  email: string;
  emailVerified: boolean;
  /** How the session was opened. Endpoints that move money require "passkey". */
  method: "email" | "passkey";
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

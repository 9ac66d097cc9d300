import type { Context } from "hono";
import type { KycStatus } from "../../api/contract";
import { ExchangeError } from "../errors";

/** Who calls, as the token in X-Auth-Token says; fetched once a request. */
export type Caller = {
  accountId: string;
  sessionId: string;
  email: string;
  emailVerified: boolean;
  /** How the token was obtained; endpoints that move money demand "passkey". */
  method: "email" | "passkey";
  /** When this session last proved a passkey. */
  passkeyAt: Date | null;
  isActive: boolean;
  isBlocked: boolean;
  kycStatus: KycStatus;
  payoutsWaitUntil: Date | null;
};

/** What whoever calls `fetch` hands over beside the request. */
type ConnectionInfo = {
  /** The visitor's network address, as the server (never a header) knows it; absent for trusted in-process calls. */
  remoteAddress?: string;
};

export type Env = {
  Bindings: ConnectionInfo;
  Variables: {
    requestId: string;
    caller: Caller | null;
    /** A token was sent that is no longer, or never was, alive. */
    deadToken: boolean;
  };
};

/** Anybody with a living token. */
export function requireCaller(c: Context<Env>): Caller {
  const caller = c.get("caller");
  if (!caller) throw new ExchangeError(c.get("deadToken") ? "token_expired" : "token_missing");
  if (caller.isBlocked) throw new ExchangeError("user_blocked");
  return caller;
}

/** A passkey token: reading one's own money, cancelling, refunds, addresses, KYC. */
export function requirePasskey(c: Context<Env>): Caller {
  const caller = requireCaller(c);
  if (caller.method !== "passkey") throw new ExchangeError("passkey_required");
  return caller;
}

/** May make new quotes, locks and requotes: a passkey, an active account, approved KYC. */
export function requireTrader(c: Context<Env>): Caller {
  const caller = requirePasskey(c);
  if (!caller.isActive) throw new ExchangeError("user_inactive");
  if (caller.kycStatus !== "approved") throw new ExchangeError("kyc_required");
  return caller;
}

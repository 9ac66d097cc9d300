import type { Context } from "hono";
import type { Caller } from "../accounts/caller";
import { ExchangeError } from "../errors";
import type { Env } from "./env";

/** Requires a valid token. @throws token_missing, token_expired, user_blocked */
export function requireCaller(c: Context<Env>): Caller {
  const caller = c.get("caller");
  if (!caller) throw new ExchangeError(c.get("hasInvalidToken") ? "token_expired" : "token_missing");
  if (caller.isBlocked) throw new ExchangeError("user_blocked");
  return caller;
}

/**
 * Requires a token from a passkey sign-in, for everything about money and identity.
 * @throws passkey_required and as `requireCaller`
 */
export function requirePasskey(c: Context<Env>): Caller {
  const caller = requireCaller(c);
  if (caller.method !== "passkey") throw new ExchangeError("passkey_required");
  return caller;
}

/**
 * Requires an active account with approved KYC, for new swaps.
 * @throws user_inactive, kyc_required and as `requirePasskey`
 */
export function requireApprovedUser(c: Context<Env>): Caller {
  const caller = requirePasskey(c);
  if (!caller.isActive) throw new ExchangeError("user_inactive");
  if (caller.kycStatus !== "approved") throw new ExchangeError("kyc_required");
  return caller;
}

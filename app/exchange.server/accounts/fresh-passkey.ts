import type { ExchangeContext } from "../context";
import { ExchangeError } from "../errors";
import type { Caller } from "./caller";

/** Whether the caller has verified a passkey within `passkeyFreshMs` (T32). */
export function isPasskeyFresh(ctx: ExchangeContext, { method, passkeyAt }: Caller, now: Date): boolean {
  return method === "passkey" && now.getTime() - (passkeyAt?.getTime() ?? 0) <= ctx.config.passkeyFreshMs;
}

/** Requires a passkey verified within `passkeyFreshMs` (T32). @throws passkey_required, passkey_too_old */
export function requireFreshPasskey(ctx: ExchangeContext, caller: Caller, now: Date): void {
  if (caller.method !== "passkey") throw new ExchangeError("passkey_required");
  if (!isPasskeyFresh(ctx, caller, now)) throw new ExchangeError("passkey_too_old");
}

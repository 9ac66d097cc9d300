import type { ChainGateway } from "~/exchange.server/chains/gateway";
import type { RunningContext } from "~/exchange.server/context";
import { toCrashingDatabase } from "../support/crashing-process";

/** The simulated process ended here. */
class CrashError extends Error {
  override name = "CrashError";
}

/** What happens during one run of a job. */
export type Disturbance = {
  /** The process dies before its n-th effect: a statement that writes, a transaction, or a call to a chain. */
  crashBefore?: number;
  /** Before the n-th call to a chain outside of a transaction, this runs to its end in the other process. */
  preempt?: { atCall: number; run: () => Promise<void> };
};

/**
 * The context of one run of a job in a process that may die or be interrupted. Dying before an effect equals dying
 * after the previous one; a dead process has no further effect, whatever its code catches.
 */
export function disturb(ctx: RunningContext, { crashBefore, preempt }: Disturbance): RunningContext {
  let effects = 0;
  let calls = 0;
  let dead = false;
  let depth = 0;
  const live = () => {
    dead ||= crashBefore !== undefined && effects >= crashBefore;
    if (dead) throw new CrashError();
    effects += 1;
  };
  const call = async () => {
    live();
    if (depth > 0) return;
    calls += 1;
    if (preempt && calls === preempt.atCall) await preempt.run();
  };
  const wrap = (chain: ChainGateway): ChainGateway =>
    new Proxy(chain, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function" || name === "toPaymentUri" || name === "toWalletLink") return value;
        return async (...args: unknown[]) => {
          await call();
          const result: unknown = await value.apply(target, args);
          // The response to a call that changes something may be lost with the process.
          if (name === "broadcast" || name === "assignFundingAddress") live();
          return result;
        };
      },
    });
  return {
    ...ctx,
    db: toCrashingDatabase(ctx.db, live, {
      begin: () => {
        depth += 1;
      },
      end: () => {
        depth -= 1;
      },
    }),
    chains: { USDT: wrap(ctx.chains.USDT), MOB: wrap(ctx.chains.MOB) },
  };
}

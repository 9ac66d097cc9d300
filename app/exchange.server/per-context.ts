import type { ExchangeContext } from "./context";

/**
 * What a process remembers about an exchange without sharing it with other processes. It may be lost at any time.
 * `create` makes the value when it is first requested. A copy of a context has its own value.
 */
export function perContext<State extends object, Context extends ExchangeContext = ExchangeContext>(
  create: (ctx: Context) => State,
): (ctx: Context) => State {
  const states = new WeakMap<Context, State>();
  return (ctx) => {
    const state = states.get(ctx) ?? create(ctx);
    states.set(ctx, state);
    return state;
  };
}

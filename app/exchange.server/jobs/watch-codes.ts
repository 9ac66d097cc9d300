import { addMs, hourMs } from "../../lib/durations";
import { countWrongCodes } from "../accounts/code-budgets";
import { clearAlert, raiseAlert } from "../alerts/alerts";
import type { ExchangeContext } from "../context";

const subject = "codes";
/** People who mistype their code cause a few in an hour; a network that guesses causes 200 in its first minutes. */
const manyWrongCodes = 100;

/** Job: alerts an operator when someone seems to guess e-mail codes (T23). */
export async function watchCodes(ctx: ExchangeContext): Promise<void> {
  const at = await ctx.clock.now(ctx.db);
  const { codes, networks } = await countWrongCodes(ctx.db, addMs(at, -hourMs));
  if (codes < manyWrongCodes) return clearAlert(ctx.db, subject);
  const from = networks === 1 ? "1 network" : `${networks} networks`;
  const reason = `${codes} wrong e-mail codes were entered in the last hour, from ${from}. Someone may be guessing codes.`;
  const action =
    "Find these networks in the log of the proxy in front of the site (POST /login, POST /api/auth), and block them there.";
  await raiseAlert(ctx.db, ctx, { subject, reason, action, at });
}

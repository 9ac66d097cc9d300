import type { ExchangeContext } from "../context";
import { forgetEmailChallenges } from "./email-codes";
import { forgetLimitEvents } from "./limits";
import { forgetPasskeyChallenges } from "./passkey-challenges";
import { forgetOldSessions } from "./sessions";

/** The job that removes what time has made worthless: codes, challenges, tokens, counted events. May run any time. */
export async function forgetExpired(x: ExchangeContext): Promise<void> {
  const now = await x.clock.now(x.db);
  await forgetEmailChallenges(x.db, now);
  await forgetPasskeyChallenges(x.db, now);
  await forgetLimitEvents(x.db, now);
  await forgetOldSessions(x);
}

import type { ReactNode } from "react";
import * as findYourAddress from "./find-your-address";
import * as gettingHelp from "./getting-help";
import * as lateOrWrongPayments from "./late-or-wrong-payments";
import * as quotesAndLocks from "./quotes-and-locks";
import type { Terms } from "./terms";
import * as turnOnPayments from "./turn-on-payments";
import * as usdtAndMob from "./usdt-and-mob";
import * as whatIsASwap from "./what-is-a-swap";
import * as whatIsSignal from "./what-is-signal";
import * as whyWeVerify from "./why-we-verify";

type Step = {
  title: string;
  Illustration: () => ReactNode;
  /** `terms` are null if the step does not need them, or if the exchange is unavailable. */
  Content: (props: { terms: Terms | null }) => ReactNode;
  needsTerms?: boolean;
};

/** The nine steps, in order (K08). */
export const steps: readonly Step[] = [
  whatIsASwap,
  usdtAndMob,
  whatIsSignal,
  turnOnPayments,
  findYourAddress,
  whyWeVerify,
  quotesAndLocks,
  lateOrWrongPayments,
  gettingHelp,
];

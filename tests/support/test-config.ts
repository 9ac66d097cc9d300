import { parseConfig } from "~/config/config.server";
import type { ExchangeConfig } from "~/exchange.server/context";

const { exchange } = parseConfig({ SESSION_SECRET: "kR7v0yQ2mZ9xT4wB6nL1pD8sF3hJ5gC_" });

/** The default settings of the exchange, with the changes that tests need. */
export const testConfig: ExchangeConfig = {
  ...exchange,
  rateRefreshMs: 5_000,
  /** Tests set the rate once and advance the clock by days. */
  rateMaxAgeMs: 10 * 365 * 86_400_000,
  /** Tests change the rate a lot at once, and expect exact amounts. */
  rateCalmBps: 1_000_000,
  /** Tests hash hundreds of codes. */
  codeHashCost: 2 ** 4,
  /** As in live mode. */
  unpaidLockWaitMs: 60_000,
  limits: { ...exchange.limits, codesPerSenderPerHour: 60 },
};

import pino from "pino";
import type { ChainGateway } from "~/exchange.server/chains/gateway";
import type { ExchangeConfig, KycProvider, RunningContext } from "~/exchange.server/context";
import { createClock } from "~/exchange.server/db/clock";
import type { OpenDatabase } from "~/exchange.server/db/open";
import type { AssetSymbol } from "~/lib/assets";
import { createFakeChain } from "./fake-chain";
import { requireOneHandleForClock } from "./forbid-nested-handles";
import { testConfig } from "./test-config";

/** A KYC provider that never decides. */
export const noKyc: KycProvider = {
  name: "none",
  submit: async () => undefined,
  getDecision: async () => null,
  parseWebhook: () => {
    throw new Error("no webhooks here");
  },
};

export type TestContextOptions = Partial<Omit<RunningContext, "db" | "config" | "chains">> & {
  config?: Partial<ExchangeConfig>;
  chains?: Partial<Record<AssetSymbol, ChainGateway>>;
};

/**
 * A context over a real database, with fake chains, a clock and a rate that the test controls, and e-mails that are
 * dropped. Pass `options` to replace any of them.
 */
export function createTestContext(database: OpenDatabase, options: TestContextOptions = {}) {
  let offsetMs = 0;
  let rate = 350_000_000_000n;
  const now = () => Date.now() + offsetMs;
  const fakes = {
    USDT: createFakeChain("USDT", { confirmations: 3, now, nonces: true, hasBlockTimes: true }),
    MOB: createFakeChain("MOB", { confirmations: 1, now, nonces: false, hasBlockTimes: false }),
  };
  const ctx: RunningContext = {
    clock: requireOneHandleForClock(createClock(() => offsetMs)),
    log: pino({ level: "silent" }),
    mail: { send: async () => undefined },
    kyc: noKyc,
    rateSource: { getRate: async () => ({ rate, at: new Date(now()) }) },
    forbiddenDeliveryAddresses: [],
    ...options,
    db: database.db,
    config: { ...testConfig, ...options.config },
    chains: { ...fakes, ...options.chains },
  };
  return {
    ctx,
    fakes,
    /** Moves the clock of the database and the chains forward. */
    advance(ms: number) {
      offsetMs += ms;
    },
    /** USDT per 1 MOB with 12 decimals. The exchange reads it at its next refresh. */
    setRate(next: bigint) {
      rate = next;
    },
  };
}

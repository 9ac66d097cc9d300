import pino from "pino";
import type { ChainGateway } from "~/exchange.server/chains/gateway";
import type { ExchangeConfig, KycProvider, RunningContext } from "~/exchange.server/context";
import { createClock } from "~/exchange.server/db/clock";
import type { OpenDatabase } from "~/exchange.server/db/open";
import type { AssetSymbol } from "~/lib/assets";
import { createFakeChain, type FakeChain } from "./fake-chain";
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

type FakeChains = Record<AssetSymbol, FakeChain>;

export type TestContextOptions = Partial<Omit<RunningContext, "db" | "config" | "chains">> & {
  config?: Partial<ExchangeConfig>;
  /** The fake chains of another context, if both are to use the same ones. */
  fakes?: FakeChains;
  /** Chains to use instead of fake ones. */
  chains?: Partial<Record<AssetSymbol, ChainGateway>>;
};

const createFakes = (now: () => number): FakeChains => ({
  USDT: createFakeChain("USDT", { confirmations: 3, now, nonces: true, hasBlockTimes: true }),
  MOB: createFakeChain("MOB", { confirmations: 1, now, nonces: false, hasBlockTimes: false }),
});

/**
 * A context over a real database, with fake chains, a clock and a rate that the test controls, and e-mails that are
 * dropped. Pass `options` to replace any of them.
 */
export function createTestContext(database: OpenDatabase, options: TestContextOptions = {}) {
  let offsetMs = 0;
  let rate = 350_000_000_000n;
  const now = () => Date.now() + offsetMs;
  const { fakes = createFakes(now), config, chains, ...replaced } = options;
  const ctx: RunningContext = {
    clock: requireOneHandleForClock(createClock(() => offsetMs)),
    log: pino({ level: "silent" }),
    mail: { send: async () => undefined },
    kyc: noKyc,
    rateSource: { getRate: async () => ({ rate, at: new Date(now()) }) },
    forbiddenDeliveryAddresses: [],
    ...replaced,
    db: database.db,
    config: { ...testConfig, ...config },
    chains: { ...fakes, ...chains },
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

import type { ExchangeConfig } from "./context";

/** What `bootExchange` is told: the exchange's own settings and where everything is. Structurally a part of the site's Config. */
export type ExchangeSetup = {
  exchange: ExchangeConfig;
  mode: "sandbox" | "live";
  dataDir: string;
  /** Null: PGlite in `dataDir`, whose lock the caller holds. */
  databaseUrl: string | null;
  databasePoolSize: number;
  confirmations: { USDT: number; MOB: number };
  ethereumFinalizedAbove: bigint | null;
  /** Null in the sandbox, which brings its own chains. */
  ethereum: {
    rpcUrls: string[];
    chainId: number;
    xpub: string;
    payoutPrivateKey: string;
    usdtAddress: string;
    /** Null: the head at the first scan; nobody was told an address before. */
    startBlock: number | null;
  } | null;
  mobilecoin: { url: string; accountId: string; apiKey: string | null; chainId: string } | null;
  mail: { smtpUrl: string; from: string } | null;
  rateSources: string[];
  rateMaxDeviationBps: number;
  kyc: { url: string; apiKey: string; webhookSecret: string } | null;
  /** Amounts as decimal strings. */
  sandbox: {
    startRate: string;
    rateSeed: number;
    reserveUsdt: string;
    faucetMaxUsdt: string;
    faucetMaxEth: string;
    ethereumBlockMs: number;
    mobilecoinBlockMs: number;
    kycDelayMs: number;
    anvilPath: string | null;
  };
};

import type { ExchangeConfig } from "./context";

/** What `bootExchange` needs: settings, storage and connections. app/config provides it. */
export type ExchangeSetup = {
  exchange: ExchangeConfig;
  dataDir: string;
  /** Null for PGlite in `dataDir`, whose lock the caller must hold. */
  databaseUrl: string | null;
  databasePoolSize: number;
  confirmations: { USDT: number; MOB: number };
  ethereumFinalizedAbove: bigint | null;
  /** micro-USDT per ether; 0 if gas costs nothing. */
  etherPrice: bigint;
  /** Null in the sandbox, which runs its own chains. */
  ethereum: {
    rpcUrls: string[];
    chainId: number;
    xpub: string;
    payoutPrivateKey: string;
    usdtAddress: string;
    /**
     * The first block to scan. Null starts at the newest block: before the first scan there are no funding addresses.
     */
    startBlock: number | null;
  } | null;
  mobilecoin: { url: string; accountId: string; apiKey: string | null; chainId: string } | null;
  mail: { smtpUrl: string; from: string } | null;
  rateSources: string[];
  rateMaxDeviationBps: number;
  kyc: { url: string; apiKey: string; webhookSecret: string } | null;
  /** Amounts are decimal strings. */
  sandbox: {
    rate: string;
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

import type { AssetSymbol } from "../lib/assets";
import type { ExchangeConfig } from "./context";

/** What `bootExchange` needs: settings, storage and connections. app/config provides it. */
export type ExchangeSetup = {
  exchange: ExchangeConfig;
  dataDir: string;
  /** Null for PGlite in `dataDir`, whose lock the caller must hold. */
  databaseUrl: string | null;
  databasePoolSize: number;
  confirmations: Record<AssetSymbol, number>;
  /** The chain ids of the networks that the exchange uses. */
  networks: Record<AssetSymbol, string>;
  /** Null in the sandbox, which runs its own systems. */
  live: LiveSetup | null;
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

/** The systems that a live exchange connects to. */
export type LiveSetup = {
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
    /** See `ChainGateway.finalizedAbove`. */
    finalizedAbove: bigint;
    /** micro-USDT per ether. */
    etherPrice: bigint;
  };
  mobilecoin: { url: string; accountId: string; apiKey: string | null; chainId: string };
  mail: { smtpUrl: string; from: string };
  rateSources: string[];
  rateMaxDeviationBps: number;
  kyc: { url: string; apiKey: string; webhookSecret: string };
};

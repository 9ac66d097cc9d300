import pino from "pino";
import { createEthereumGateway } from "~/exchange.server/chains/ethereum/gateway";
import type { ChainGateway } from "~/exchange.server/chains/gateway";
import { createMobilecoinGateway } from "~/exchange.server/chains/mobilecoin/gateway";
import type { ExchangeConfig } from "~/exchange.server/context";
import { openPostgres } from "~/exchange.server/db/open";
import { createExchange, type Exchange } from "~/exchange.server/exchange";
import type { AssetSymbol } from "~/lib/assets";
import type { SandboxEthereum } from "~/sandbox.server/ethereum/start";
import { createSandboxInbox } from "~/sandbox.server/inbox";
import type { SandboxMobilecoin } from "~/sandbox.server/mobilecoin/start";
import { createSandboxReviewer } from "~/sandbox.server/reviewer";
import { testConfig } from "./test-config";

/** Where an exchange's database and chains are. It can be sent to another process as JSON. */
export type Connections = {
  databaseUrl: string;
  ethereum: Pick<SandboxEthereum, "rpcUrl" | "chainId" | "usdtAddress" | "xpub" | "payoutPrivateKey">;
  mobilecoin: Pick<SandboxMobilecoin, "url" | "accountId" | "chainId">;
};

/** The connections to the sandbox's chains. */
export function toConnections(
  databaseUrl: string,
  ethereum: SandboxEthereum,
  mobilecoin: SandboxMobilecoin,
): Connections {
  const { rpcUrl, chainId, usdtAddress, xpub, payoutPrivateKey } = ethereum;
  const { url, accountId, chainId: network } = mobilecoin;
  return {
    databaseUrl,
    ethereum: { rpcUrl, chainId, usdtAddress, xpub, payoutPrivateKey },
    mobilecoin: { url, accountId, chainId: network },
  };
}

/** The gateways of both chains. */
export function openGateways({ ethereum, mobilecoin }: Connections): Record<"USDT" | "MOB", ChainGateway> {
  const log = pino({ level: "silent" });
  const { rpcUrl, ...settings } = ethereum;
  const { chainId: expectedChainId, ...wallet } = mobilecoin;
  return {
    USDT: createEthereumGateway({ ...settings, rpcUrls: [rpcUrl], requiredConfirmations: 2, log }),
    MOB: createMobilecoinGateway({
      ...wallet,
      expectedChainId,
      fogServers: null,
      requiredConfirmations: 1,
      log,
      timeoutMs: 5_000,
    }),
  };
}

/**
 * One of several exchanges on one PostgreSQL and on real chains, with its own pool like a separate process. E-mails and
 * reviews are simulated as in the sandbox, which stores them in the database.
 */
export async function openProcess(
  connections: Connections,
  options: {
    config?: Partial<ExchangeConfig>;
    wrap?: (gateway: ChainGateway, asset: AssetSymbol) => ChainGateway;
  } = {},
): Promise<Exchange> {
  const { wrap = (gateway) => gateway } = options;
  const chains = openGateways(connections);
  return createExchange({
    database: await openPostgres(connections.databaseUrl, { poolSize: 5 }),
    config: { ...testConfig, scanEthereumMs: 200, scanMobilecoinMs: 200, ...options.config },
    log: pino({ level: "silent" }),
    external: {
      chains: { USDT: wrap(chains.USDT, "USDT"), MOB: wrap(chains.MOB, "MOB") },
      forbiddenDeliveryAddresses: [],
      connect: async (db, clock) => ({
        mail: createSandboxInbox(db, clock),
        kyc: createSandboxReviewer({ db, clock, delayMs: 0 }),
        rateSource: { getRate: async () => ({ rate: 350_000_000_000n, at: new Date() }) },
        sandbox: null,
      }),
      stop: async () => undefined,
    },
  });
}

import pino from "pino";
import { createEthereumGateway } from "../../../app/exchange.server/chains/ethereum/gateway";
import type { ChainGateway } from "../../../app/exchange.server/chains/gateway";
import { createMobilecoinGateway } from "../../../app/exchange.server/chains/mobilecoin/gateway";
import { openPostgres } from "../../../app/exchange.server/db/open";
import { createExchange } from "../../../app/exchange.server/exchange";
import { noKyc } from "../../support/context";
import { testConfig } from "../../support/test-config";

/**
 * Runs an exchange with its workers in a separate process, on the test's chains. At the given
 * step it kills itself with SIGKILL, so nothing is cleaned up or flushed, as in a power cut.
 */
export type ProcessOptions = {
  databaseUrl: string;
  ethereum: { rpcUrl: string; chainId: number; usdtAddress: string; xpub: string; payoutPrivateKey: string };
  mobilecoin: { url: string; accountId: string; chainId: string };
  crash: { asset: "USDT" | "MOB"; when: "before_broadcast" | "after_broadcast" | "after_prepare_unstored" } | null;
};

const options = JSON.parse(process.env.PROCESS_OPTIONS ?? "{}") as ProcessOptions;
const log = pino({ level: "silent" });
const die = () => process.kill(process.pid, "SIGKILL");

function withCrash(gateway: ChainGateway): ChainGateway {
  const { crash } = options;
  if (crash?.asset !== gateway.asset) return gateway;
  return {
    ...gateway,
    async preparePayment(request) {
      const prepared = await gateway.preparePayment(request);
      if (crash.when === "after_prepare_unstored") die();
      return prepared;
    },
    async broadcast(payment) {
      if (crash.when === "before_broadcast") die();
      await gateway.broadcast(payment);
      if (crash.when === "after_broadcast") die();
    },
  };
}

const { rpcUrl, ...ethereum } = options.ethereum;
const { chainId, ...mobilecoin } = options.mobilecoin;
const exchange = await createExchange({
  database: await openPostgres(options.databaseUrl, { poolSize: 5 }),
  config: { ...testConfig, scanEthereumMs: 200, scanMobilecoinMs: 200 },
  log,
  external: {
    chains: {
      USDT: withCrash(createEthereumGateway({ ...ethereum, rpcUrls: [rpcUrl], requiredConfirmations: 2, log })),
      MOB: withCrash(createMobilecoinGateway({ ...mobilecoin, expectedChainId: chainId, log, timeoutMs: 5_000 })),
    },
    forbiddenDeliveryAddresses: [],
    connect: async () => ({
      mail: { send: async () => undefined },
      kyc: noKyc,
      rateSource: { getRate: async () => ({ rate: 350_000_000_000n, at: new Date() }) },
      sandbox: null,
    }),
    stop: async () => undefined,
  },
});
await exchange.workers.start();
process.stdout.write("ready\n");

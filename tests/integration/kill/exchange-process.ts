import pino from "pino";
import { createEthereumGateway } from "../../../app/exchange.server/chains/ethereum";
import type { ChainGateway } from "../../../app/exchange.server/chains/gateway";
import { createMobilecoinGateway } from "../../../app/exchange.server/chains/mobilecoin";
import { openPostgres } from "../../../app/exchange.server/db/open";
import { createExchange } from "../../../app/exchange.server/exchange";
import { noKyc } from "../../support/context";
import { testConfig } from "../../support/test-config";

/**
 * An exchange in a process of its own, with its workers, on the chains that the test holds.
 * At the line that it is told it kills itself with SIGKILL: nothing is cleaned up, nothing
 * is flushed, as when the power goes.
 */
export type ProcessOrder = {
  databaseUrl: string;
  ethereum: { rpcUrl: string; chainId: number; usdtAddress: string; xpub: string; payoutPrivateKey: string };
  mobilecoin: { url: string; accountId: string; chainId: string };
  crash: { asset: "USDT" | "MOB"; when: "before_broadcast" | "after_broadcast" | "after_prepare_unstored" } | null;
};

const order = JSON.parse(process.env.PROCESS_ORDER ?? "{}") as ProcessOrder;
const log = pino({ level: "silent" });
const die = () => process.kill(process.pid, "SIGKILL");

function deadly(gateway: ChainGateway): ChainGateway {
  const { crash } = order;
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

const { rpcUrl, ...ethereum } = order.ethereum;
const { chainId, ...mobilecoin } = order.mobilecoin;
const exchange = await createExchange({
  database: await openPostgres(order.databaseUrl, { poolSize: 5 }),
  config: { ...testConfig, scanEthereumMs: 200, scanMobilecoinMs: 200 },
  log,
  world: {
    chains: {
      USDT: deadly(createEthereumGateway({ ...ethereum, rpcUrls: [rpcUrl], requiredConfirmations: 2, log })),
      MOB: deadly(createMobilecoinGateway({ ...mobilecoin, expectedChainId: chainId, log, timeoutMs: 5_000 })),
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

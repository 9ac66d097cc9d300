import type { ChainGateway } from "~/exchange.server/chains/gateway";
import type { ExchangeConfig } from "~/exchange.server/context";
import { type Connections, openProcess } from "../../support/process-on-chains";

/**
 * Runs an exchange with its workers in a separate process, on the test's chains. At the given
 * step it kills itself with SIGKILL, so nothing is cleaned up or flushed, as in a power cut.
 */
export type ProcessOptions = Connections & {
  role?: ExchangeConfig["role"];
  crash: { asset: "USDT" | "MOB"; when: "before_broadcast" | "after_broadcast" | "after_prepare_unstored" } | null;
};

const options = JSON.parse(process.env.PROCESS_OPTIONS ?? "{}") as ProcessOptions;
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

const exchange = await openProcess(options, { wrap: withCrash, config: { role: options.role ?? "all" } });
await exchange.workers.start();
process.stdout.write("ready\n");

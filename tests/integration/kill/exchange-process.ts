import type { ChainGateway } from "~/exchange.server/chains/gateway";
import type { ExchangeConfig } from "~/exchange.server/context";
import type { AssetSymbol } from "~/lib/assets";
import { type Connections, openProcess } from "../../support/process-on-chains";

/**
 * Runs an exchange with its workers in a separate process, on the test's chains. After it has sent a payment of the
 * asset `crashAfter`, it kills itself with SIGKILL, so nothing is cleaned up or flushed, as in a power cut.
 */
export type ProcessOptions = Connections & {
  role?: ExchangeConfig["role"];
  crashAfter: "USDT" | "MOB" | null;
};

const options = JSON.parse(process.env.PROCESS_OPTIONS ?? "{}") as ProcessOptions;

function withCrash(gateway: ChainGateway, asset: AssetSymbol): ChainGateway {
  if (options.crashAfter !== asset) return gateway;
  return {
    ...gateway,
    async broadcast(payment) {
      await gateway.broadcast(payment);
      process.kill(process.pid, "SIGKILL");
    },
  };
}

const exchange = await openProcess(options, { wrap: withCrash, config: { role: options.role ?? "all" } });
await exchange.workers.start();
process.stdout.write("ready\n");

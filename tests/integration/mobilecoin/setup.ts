import { inspect } from "node:util";
import { pino } from "pino";
import type { ChainGateway, ScanCursor } from "~/exchange.server/chains/gateway";
import { createFullService } from "~/exchange.server/chains/mobilecoin/full-service";
import { createMobilecoinGateway } from "~/exchange.server/chains/mobilecoin/gateway";
import { type SandboxMobilecoin, startSandboxMobilecoin } from "~/sandbox.server/mobilecoin/start";
import { until } from "../../support/until";

const log = pino({ level: "silent" });
export const mob = (amount: number) => BigInt(amount) * 10n ** 12n;

/** Starts the sandbox's MobileCoin and connects the production gateway to it over HTTP. */
export async function startTestnet(options: { dataDir?: string; blockDelayMs?: number; apiKey?: string } = {}) {
  const sandbox = await startSandboxMobilecoin({
    dataDir: options.dataDir ?? null,
    log,
    blockDelayMs: options.blockDelayMs ?? 15,
    apiKey: options.apiKey,
  });
  return { sandbox, ...connect(sandbox, options.apiKey) };
}

export function connect(sandbox: SandboxMobilecoin, apiKey?: string) {
  const options = { url: sandbox.url, apiKey, log, timeoutMs: 10_000 };
  const gateway = createMobilecoinGateway({
    ...options,
    accountId: sandbox.accountId,
    expectedChainId: sandbox.chainId,
    fogServers: null,
    requiredConfirmations: 1,
  });
  return { gateway, service: createFullService(options) };
}

export const everyAddressIsOurs = async (addresses: string[]) => new Set(addresses);

export const scanAll = (gateway: ChainGateway, cursor: ScanCursor | null = null) =>
  gateway.scan(cursor, everyAddressIsOurs);

/** Polls `read` until `isDone` accepts its value. */
export async function eventually<T>(read: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  let last: T | undefined;
  const { value } = await until(
    () => `a value other than ${inspect(last)}`,
    async () => {
      last = await read();
      return isDone(last) && { value: last };
    },
    { everyMs: 15 },
  );
  return value;
}

import { pino } from "pino";
import { createFullService } from "~/exchange.server/chains/full-service";
import type { ChainGateway, ScanCursor } from "~/exchange.server/chains/gateway";
import { createMobilecoinGateway } from "~/exchange.server/chains/mobilecoin";
import { type SandboxMobilecoin, startSandboxMobilecoin } from "~/exchange.server/sandbox/mobilecoin/start";

const log = pino({ level: "silent" });
export const mob = (amount: number) => BigInt(amount) * 10n ** 12n;

/** The sandbox's MobileCoin and the production gateway that speaks to it over HTTP. */
export async function startWorld(options: { dataDir?: string; blockDelayMs?: number; apiKey?: string } = {}) {
  const sandbox = await startSandboxMobilecoin({
    dataDir: options.dataDir ?? null,
    log,
    blockDelayMs: options.blockDelayMs ?? 15,
    apiKey: options.apiKey,
  });
  return { sandbox, ...connect(sandbox, options.apiKey) };
}

export function connect(sandbox: SandboxMobilecoin, apiKey?: string) {
  const options = { url: sandbox.url, apiKey, log, timeoutMs: 2000 };
  const gateway = createMobilecoinGateway({
    ...options,
    accountId: sandbox.accountId,
    expectedChainId: sandbox.chainId,
  });
  return { gateway, service: createFullService(options) };
}

export const everyAddressIsOurs = async (addresses: string[]) => new Set(addresses);

export const scanAll = (gateway: ChainGateway, cursor: ScanCursor | null = null) =>
  gateway.scan(cursor, everyAddressIsOurs);

export async function eventually<T>(read: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    const value = await read();
    if (isDone(value)) return value;
    if (tries > 200) throw new Error(`never came: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}

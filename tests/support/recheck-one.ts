import type { ChainGateway, ChainTransfer, SeenTransfer } from "~/exchange.server/chains/gateway";

/** Looks up one transfer again. Rejects if it could not be looked up. */
export async function recheckOne(gateway: ChainGateway, seen: SeenTransfer): Promise<ChainTransfer | null> {
  const [result = null] = await gateway.recheck([seen]);
  if (result instanceof Error) throw result;
  return result;
}

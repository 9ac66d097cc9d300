import type { AssetSymbol } from "./assets";
import { type Pair, parseDecimal, RATE_DECIMALS } from "./money";

/** The assets and the rate of a quote or an order. */
export type PricedEntity = {
  source_asset_symbol: AssetSymbol;
  target_asset_symbol: AssetSymbol;
  exchange_rate: string;
};

export function toPricedPair({ source_asset_symbol, target_asset_symbol, exchange_rate }: PricedEntity): Pair {
  return {
    source: source_asset_symbol,
    target: target_asset_symbol,
    rate: parseDecimal(exchange_rate, RATE_DECIMALS),
  };
}

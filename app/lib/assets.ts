/** The two assets of the product and what is fixed about each (K01, K02, K09). */
export const assetSymbols = ["USDT", "MOB"] as const;
export type AssetSymbol = (typeof assetSymbols)[number];

export const addressTypes = ["MOB", "ETH"] as const;
export type AddressType = (typeof addressTypes)[number];

export type Network = "ethereum" | "mobilecoin";

type AssetFacts = {
  symbol: AssetSymbol;
  name: string;
  network: Network;
  /** The type of address that can receive it. */
  addressType: AddressType;
  /** Digits after the point: micro-USDT, pico-MOB. */
  decimals: number;
};

export const assets = {
  USDT: { symbol: "USDT", name: "Tether USD", network: "ethereum", addressType: "ETH", decimals: 6 },
  MOB: { symbol: "MOB", name: "MobileCoin", network: "mobilecoin", addressType: "MOB", decimals: 12 },
} as const satisfies Record<AssetSymbol, AssetFacts>;

/** Whether a value from outside names one of the two assets. */
export function isAssetSymbol(value: unknown): value is AssetSymbol {
  return value === "USDT" || value === "MOB";
}

/** What one gets for it. */
export function otherAsset(symbol: AssetSymbol): AssetSymbol {
  return symbol === "USDT" ? "MOB" : "USDT";
}

/** The two assets and their fixed properties (K01, K02, K09). */
export const assetSymbols = ["USDT", "MOB"] as const;
export type AssetSymbol = (typeof assetSymbols)[number];

export const addressTypes = ["MOB", "ETH"] as const;
export type AddressType = (typeof addressTypes)[number];

export type Network = "ethereum" | "mobilecoin";

type AssetProperties = {
  symbol: AssetSymbol;
  name: string;
  network: Network;
  /** The type of address that receives the asset. */
  addressType: AddressType;
  /** Digits after the decimal point: base units are micro-USDT and pico-MOB. */
  decimals: number;
};

export const assets = {
  USDT: { symbol: "USDT", name: "Tether USD", network: "ethereum", addressType: "ETH", decimals: 6 },
  MOB: { symbol: "MOB", name: "MobileCoin", network: "mobilecoin", addressType: "MOB", decimals: 12 },
} as const satisfies Record<AssetSymbol, AssetProperties>;

export type Asset = (typeof assets)[AssetSymbol];

export function isAssetSymbol(value: unknown): value is AssetSymbol {
  return value === "USDT" || value === "MOB";
}

/** The asset a swap takes and the asset it pays out. */
export type Direction = { source: AssetSymbol; target: AssetSymbol };

/** The asset on the other side of a swap. */
export function otherAsset(symbol: AssetSymbol): AssetSymbol {
  return symbol === "USDT" ? "MOB" : "USDT";
}

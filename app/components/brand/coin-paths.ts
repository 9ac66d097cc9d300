import type { AssetSymbol } from "~/lib/assets";

/** The symbol on each of our coins, as the path of an SVG with a view box of 28 by 28. */
export const coinPaths: Record<AssetSymbol, string> = {
  USDT: "M8.500 8.500h11M14 8.500v12M8 13.200c0-1.300 2.700-2.200 6-2.200s6 .9 6 2.200-2.700 2.200-6 2.200-6-.9-6-2.200z",
  MOB: "M7.500 19.500V10.200c0-1.300 1.500-1.700 2.200-.7l4.300 6.300 4.300-6.300c.7-1 2.200-.6 2.200.7v9.300",
};

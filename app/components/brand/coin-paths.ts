import type { AssetSymbol } from "~/lib/assets";

/** The symbol on each of our coins, as the path of an SVG with a view box of 28 by 28. */
export const coinPaths: Record<AssetSymbol, string> = {
  USDT: "M8.5 8.5h11M14 8.5v12M8 13.2c0-1.3 2.7-2.2 6-2.2s6 .9 6 2.2-2.7 2.2-6 2.2-6-.9-6-2.2z",
  MOB: "M7.5 19.5V10.2c0-1.3 1.5-1.7 2.2-.7l4.3 6.3 4.3-6.3c.7-1 2.2-.6 2.2.7v9.3",
};

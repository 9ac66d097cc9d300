import type { AssetSymbol } from "~/lib/assets";
import * as styles from "./coin.css";

/** Our own icons for the two coins. Hidden from screen readers: always shown next to the symbol. */
const faces = {
  USDT: {
    disc: styles.usdt,
    d: "M8.500 8.500h11M14 8.500v12M8 13.200c0-1.300 2.700-2.200 6-2.200s6 .9 6 2.200-2.700 2.200-6 2.200-6-.9-6-2.200z",
  },
  MOB: {
    disc: styles.mob,
    d: "M7.500 19.500V10.200c0-1.300 1.500-1.700 2.200-.7l4.300 6.300 4.300-6.300c.7-1 2.200-.6 2.200.7v9.300",
  },
} as const satisfies Record<AssetSymbol, { disc: string; d: string }>;

export function Coin({ asset }: { asset: AssetSymbol }) {
  const { disc, d } = faces[asset];
  return (
    <svg className={styles.coin} viewBox="0 0 28 28" aria-hidden="true">
      <circle className={disc} cx="14" cy="14" r="14" />
      <path d={d} />
    </svg>
  );
}

/** A coin's icon and symbol, for an amount field's `coin` slot. */
export function CoinName({ asset }: { asset: AssetSymbol }) {
  return (
    <>
      <Coin asset={asset} />
      {asset}
    </>
  );
}

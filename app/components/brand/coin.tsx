import type { AssetSymbol } from "~/lib/assets";
import * as styles from "./coin.css";
import { coinPaths } from "./coin-paths";

/** Our own icons for the two coins. Hidden from screen readers: always shown next to the symbol. */
const faces = {
  USDT: {
    disc: styles.usdt,
    d: coinPaths.USDT,
  },
  MOB: {
    disc: styles.mob,
    d: coinPaths.MOB,
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

import type { AssetSymbol } from "~/lib/assets";
import * as styles from "./coin.css";
import { coinPaths } from "./coin-paths";

/** Our own icons for the two coins. Hidden from screen readers: always shown next to the symbol. */
const discs: Record<AssetSymbol, string> = { USDT: styles.usdt, MOB: styles.mob };

export function Coin({ asset }: { asset: AssetSymbol }) {
  return (
    <svg className={styles.coin} viewBox="0 0 28 28" aria-hidden="true">
      <circle className={discs[asset]} cx="14" cy="14" r="14" />
      <path d={coinPaths[asset]} />
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

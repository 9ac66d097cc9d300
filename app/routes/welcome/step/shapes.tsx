import { coinPaths } from "~/components/brand/coin-paths";
import { fill, label as labelStyle, sheet, small, stroke } from "~/components/welcome/illustration.css";
import type { AssetSymbol } from "~/lib/assets";

/** Shapes that several illustrations share, positioned by their centre. */
type Position = { x: number; y: number };

const discs: Record<AssetSymbol, string> = { USDT: fill.usdt, MOB: fill.mob };

export function BigCoin({ asset, x, y, size = 80 }: Position & { asset: AssetSymbol; size?: number }) {
  return (
    <g transform={`translate(${x - size / 2} ${y - size / 2}) scale(${size / 28})`}>
      <circle className={discs[asset]} cx="14" cy="14" r="14" />
      <circle className={stroke.onCoin} cx="14" cy="14" r="12" strokeWidth=".6" opacity=".5" />
      <path className={stroke.onCoin} strokeWidth="2.2" d={coinPaths[asset]} />
    </g>
  );
}

/** A label on a small card. */
export function Tag({ x, y, width, children }: Position & { width: number; children: string }) {
  return (
    <g>
      <rect className={sheet} x={x - width / 2} y={y - 17} width={width} height="34" rx="17" />
      <text className={`${fill.ink} ${labelStyle}`} x={x} y={y + 5} textAnchor="middle">
        {children}
      </text>
    </g>
  );
}

export function Caption({ x, y, children }: Position & { children: string }) {
  return (
    <text className={`${fill.ink} ${small}`} x={x} y={y} textAnchor="middle">
      {children}
    </text>
  );
}

/** A padlock, 40 units wide. */
export function Padlock({ x, y, scale = 1 }: Position & { scale?: number }) {
  return (
    <g transform={`translate(${x} ${y}) scale(${scale})`}>
      <path className={stroke.ink} strokeWidth="5" d="M-11-2v-10a11 11 0 0 1 22 0v10" />
      <rect className={fill.accent} x="-20" y="-4" width="40" height="32" rx="8" />
      <path className={stroke.onAccent} strokeWidth="4" d="M0 9v7" />
    </g>
  );
}

/** An arrow along the path `d`. Its head is at (`x`, `y`), rotated by `angle` degrees. */
export function Arrow({ d, x, y, angle }: Position & { d: string; angle: number }) {
  return (
    <g>
      <path className={stroke.accent} strokeWidth="5" d={d} />
      <path
        className={stroke.accent}
        strokeWidth="5"
        d="M-12-9 0 0l-12 9"
        transform={`translate(${x} ${y}) rotate(${angle})`}
      />
    </g>
  );
}

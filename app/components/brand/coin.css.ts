import { globalStyle, style } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";
import { color } from "~/styles/theme.css";

export const coin = style(inComponents({ flex: "none", width: 28, height: 28, color: color.onCoin }));
export const usdt = style(inComponents({ fill: color.coinUsdt }));
export const mob = style(inComponents({ fill: color.coinMob }));
globalStyle(
  `${coin} path`,
  inComponents({
    fill: "none",
    stroke: "currentColor",
    strokeWidth: 2.4,
    strokeLinecap: "round",
    strokeLinejoin: "round",
  }),
);

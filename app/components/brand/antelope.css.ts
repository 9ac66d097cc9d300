import { keyframes, style } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";
import { color } from "~/styles/theme.css";

export const antelope = style(inComponents({ height: "auto", overflow: "visible", color: color.accent }));

const leapOnce = keyframes({
  "0%": { transform: "translate(-28px, 18px) rotate(9deg)", opacity: 0 },
  "45%": { transform: "translate(-6px, -8px) rotate(-4deg)", opacity: 1 },
  "100%": { transform: "none" },
});
/** Played once when a swap completes. */
export const leap = style(
  inComponents({ transformOrigin: "center", animation: `${leapOnce} 650ms cubic-bezier(.2,.7,.3,1) backwards` }),
);

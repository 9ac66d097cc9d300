import { keyframes, style } from "@vanilla-extract/css";
import { inUi } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { motion, radius, space } from "~/styles/tokens";

const rise = keyframes({ from: { opacity: 0, transform: "translateY(8px)" } });

export const dialog = style(
  inUi({
    margin: "auto",
    width: "min(480px, calc(100vw - 32px))",
    maxHeight: "calc(100vh - 32px)",
    overflow: "auto",
    padding: space[6],
    border: `1px solid ${color.line}`,
    borderRadius: radius.card,
    background: color.raised,
    color: color.ink,
    boxShadow: color.shadow,
    selectors: { "&[open]": { animation: `${rise} ${motion.calm}` } },
    "::backdrop": { background: "rgb(15 10 8 / .55)" },
  }),
);
export const actions = style(
  inUi({ display: "flex", flexWrap: "wrap", justifyContent: "flex-end", gap: space[2], marginTop: space[6] }),
);
export const body = style(inUi({ marginTop: space[3] }));

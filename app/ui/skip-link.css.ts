import { style } from "@vanilla-extract/css";
import { inUi } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontWeight, radius, space } from "~/styles/tokens";

export const skipLink = style(
  inUi({
    position: "absolute",
    top: space[2],
    left: space[2],
    zIndex: 10,
    padding: `${space[3]} ${space[5]}`,
    borderRadius: radius.note,
    background: color.accent,
    color: color.onAccent,
    fontWeight: fontWeight.strong,
    selectors: { "&:not(:focus)": { transform: "translateY(-200%)" } },
  }),
);

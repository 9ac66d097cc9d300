import { style } from "@vanilla-extract/css";
import { hovered } from "~/styles/hovered";
import { inComponents } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, fontWeight, media, pageWidth, radius, space, target } from "~/styles/tokens";

const side = `max(${space[5]}, calc(50vw - ${pageWidth} / 2))`;

export const header = style(
  inComponents({
    display: "flex",
    alignItems: "center",
    justifyContent: "space-between",
    gap: space[4],
    padding: `${space[4]} ${side}`,
    "@media": { [media.phone]: { padding: `${space[2]} ${space[4]}` }, print: { display: "none" } },
  }),
);
export const nav = style(
  inComponents({
    display: "flex",
    alignItems: "center",
    gap: space[1],
    marginLeft: "auto",
    "@media": { [media.phone]: { display: "none" } },
  }),
);
export const link = style(
  inComponents({
    display: "flex",
    alignItems: "center",
    gap: space[3],
    minHeight: target,
    padding: `0 ${space[3]}`,
    borderRadius: radius.note,
    color: color.muted,
    fontSize: "0.9375rem",
    fontWeight: fontWeight.medium,
    textDecoration: "none",
    selectors: {
      "&[aria-current]": { color: color.ink, background: color.accentSoft },
    },
    "@media": {
      ...hovered({ color: color.ink }),
      [media.forcedColors]: {
        selectors: { "&[aria-current]:not(:focus-visible)": { outline: "2px solid Highlight" } },
      },
    },
  }),
);
/** The circle or the word in the button, not the button around it, ends at the edge of the page. */
export const menu = style(inComponents({ position: "relative", marginRight: "-4px" }));
/** When signed out, the menu only holds the navigation, which wide screens show in the header. */
export const phoneOnly = style(inComponents({ "@media": { [`not all and ${media.phone}`]: { display: "none" } } }));
export const summary = style(
  inComponents({
    display: "flex",
    alignItems: "center",
    gap: space[2],
    minHeight: target,
    padding: `0 ${space[1]}`,
    borderRadius: radius.full,
    fontSize: fontSize.small,
    fontWeight: fontWeight.strong,
  }),
);
export const initial = style(
  inComponents({
    display: "grid",
    placeItems: "center",
    width: 36,
    height: 36,
    borderRadius: "50%",
    border: `1px solid ${color.outline}`,
    background: color.accentSoft,
    color: color.accent,
    fontWeight: fontWeight.heavy,
    fontSize: fontSize.small,
  }),
);
export const panel = style(
  inComponents({
    position: "absolute",
    right: 4,
    top: `calc(100% + ${space[2]})`,
    zIndex: 4,
    display: "grid",
    gap: space[3],
    width: `min(288px, calc(100vw - ${space[8]}))`,
    padding: space[4],
    background: color.raised,
    border: `1px solid ${color.line}`,
    borderRadius: radius.field,
    boxShadow: color.shadow,
  }),
);
export const panelNav = style([phoneOnly, inComponents({ display: "grid", gap: space[1] })]);
export const email = style(inComponents({ fontSize: fontSize.small, color: color.muted, overflowWrap: "anywhere" }));
export const emailName = style(inComponents({ display: "block", color: color.ink, fontWeight: fontWeight.strong }));

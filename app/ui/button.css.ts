import { style, styleVariants } from "@vanilla-extract/css";
import { hovered } from "~/styles/hovered";
import { inUi } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, fontWeight, media, motion, radius, space, target } from "~/styles/tokens";

export const button = style(
  inUi({
    display: "inline-flex",
    alignItems: "center",
    justifyContent: "center",
    gap: space[2],
    minHeight: target,
    padding: `${space[2]} ${space[5]}`,
    border: "1px solid transparent",
    borderRadius: radius.note,
    fontWeight: fontWeight.strong,
    lineHeight: 1.2,
    textAlign: "center",
    textWrap: "balance",
    textDecoration: "none",
    cursor: "pointer",
    transition: `background ${motion.quick}, border-color ${motion.quick}, transform ${motion.quick}`,
    selectors: {
      "&:active": { transform: "translateY(1px)" },
      "&:disabled": { opacity: 0.55, cursor: "not-allowed" },
      "&[aria-disabled=true]": { cursor: "progress" },
    },
  }),
);

export const kinds = styleVariants({
  primary: inUi({
    background: color.accent,
    color: color.onAccent,
    "@media": {
      ...hovered({ background: color.accentStrong }),
      // Filled in forced colours too: otherwise it would look like the other buttons. The class is repeated to take
      // precedence over `:hover`.
      [media.forcedColors]: {
        selectors: {
          "&&": {
            forcedColorAdjust: "none",
            background: "ButtonText",
            color: "ButtonFace",
            outlineColor: "Highlight",
          },
        },
      },
    },
  }),
  secondary: inUi({
    background: color.raised,
    borderColor: color.outline,
    color: color.ink,
    "@media": hovered({ background: color.sunken }),
  }),
  quiet: inUi({
    color: color.accent,
    "@media": hovered({ background: color.accentSoft }),
  }),
  danger: inUi({
    borderColor: color.danger,
    color: color.danger,
    "@media": hovered({ background: color.danger, color: color.onDanger }),
  }),
});

export const sizes = styleVariants({
  small: inUi({
    minHeight: "36px",
    padding: `${space[1]} ${space[3]}`,
    borderRadius: radius.small,
    fontSize: fontSize.small,
  }),
  normal: inUi({}),
  large: inUi({
    minHeight: "56px",
    padding: `${space[3]} ${space[6]}`,
    borderRadius: radius.button,
    fontSize: "1.0625rem",
  }),
});

/** Its children are laid out as the button's own. */
export const label = style(inUi({ display: "contents" }));

export const full = style(inUi({ display: "flex", width: "100%" }));

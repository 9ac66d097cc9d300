import { style } from "@vanilla-extract/css";
import { inUi } from "~/styles/layered";
import { fontSize, fontWeight, media, radius, space } from "~/styles/tokens";

export const badge = style(
  inUi({
    display: "inline-flex",
    alignItems: "center",
    gap: space[2],
    padding: `2px ${space[3]}`,
    borderRadius: radius.full,
    fontSize: fontSize.small,
    fontWeight: fontWeight.strong,
    whiteSpace: "nowrap",
    // A border, because forced colours remove backgrounds.
    "::before": { content: '""', flex: "none", border: "4px solid", borderRadius: "50%" },
    // With large text, a phone is narrower than some badges.
    "@media": { [media.phone]: { whiteSpace: "normal" } },
  }),
);
export const plain = style(inUi({ "::before": { content: "none" } }));

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
    "::before": { content: '""', flex: "none", width: 8, height: 8, borderRadius: "50%", background: "currentColor" },
    // With large text, a phone is narrower than some badges.
    "@media": { [media.phone]: { whiteSpace: "normal" } },
  }),
);
export const plain = style(inUi({ "::before": { content: "none" } }));

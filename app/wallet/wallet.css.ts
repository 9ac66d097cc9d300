import { style } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";
import { media, radius, space } from "~/styles/tokens";

/** A section of its own, not part of the warnings above it. */
export const panel = style(inComponents({ paddingTop: space[2] }));
export const choices = style(inComponents({ display: "grid", gap: space[2] }));
export const picture = style(
  inComponents({ width: space[6], height: space[6], borderRadius: radius.small, flexShrink: 0 }),
);
/** Aligns the text, which has no visible edge around it, with the values above. */
export const disconnect = style(inComponents({ marginRight: `-${space[3]}` }));
/** The code to scan, beside what to do with it; on a handheld device below the link to the wallet's app. */
export const pairing = style(
  inComponents({
    display: "grid",
    gap: space[6],
    alignItems: "start",
    gridTemplateColumns: "220px minmax(0, 1fr)",
    "@media": { [media.handheld]: { gridTemplateColumns: "minmax(0, 1fr)" } },
  }),
);
export const handheldOnly = style(
  inComponents({ display: "none", "@media": { [media.handheld]: { display: "block" } } }),
);
export const notHandheld = style(inComponents({ "@media": { [media.handheld]: { display: "none" } } }));

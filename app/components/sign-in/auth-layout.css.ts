import { style } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";
import { media, space } from "~/styles/tokens";

export const withPrice = style(
  inComponents({
    flex: 1,
    display: "grid",
    gridTemplateColumns: "minmax(0, 1fr)",
    gap: space[4],
    alignContent: "start",
    "@media": { [media.wide]: { alignContent: "center", gap: space[6], marginBottom: "-84px" } },
  }),
);
/** The price beside the form; on a phone above it. */
export const cards = style(
  inComponents({
    display: "grid",
    gridTemplateColumns: "minmax(0, 1fr)",
    gap: space[4],
    alignItems: "start",
    "@media": {
      [media.wide]: {
        gridTemplateColumns: "minmax(0, 1fr) minmax(0, 468px)",
        gap: `${space[6]} clamp(24px, 3vw, 48px)`,
      },
    },
  }),
);

import { style } from "@vanilla-extract/css";
import { inUi } from "~/styles/layered";
import { qr } from "~/styles/palette";
import { color } from "~/styles/theme.css";
import { media, radius } from "~/styles/tokens";

/** Dark on light in both themes, as cameras expect. */
export const code = style(
  inUi({
    width: "100%",
    maxWidth: 240,
    aspectRatio: "1",
    background: qr.paper,
    color: qr.ink,
    border: `1px solid ${color.line}`,
    borderRadius: radius.field,
    shapeRendering: "crispEdges",
    "@media": { [media.phone]: { marginInline: "auto" }, print: { borderColor: "transparent" } },
  }),
);

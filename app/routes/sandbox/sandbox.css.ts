import { style } from "@vanilla-extract/css";
import { inRoutes } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontFamily, fontSize, fontWeight, media, space } from "~/styles/tokens";

export const columns = style(
  inRoutes({
    display: "grid",
    gap: space[5],
    alignItems: "start",
    "@media": { [media.wide]: { gridTemplateColumns: "minmax(0, 1fr) minmax(0, 1fr)", gap: space[6] } },
  }),
);
export const column = style(
  inRoutes({ display: "grid", gap: space[5], minWidth: 0, "@media": { [media.wide]: { gap: space[6] } } }),
);

export const filter = style(
  inRoutes({ display: "grid", gridTemplateColumns: "minmax(0, 1fr) auto", gap: space[3], alignItems: "end" }),
);
/** As tall as the field beside it. */
export const filterButton = style(inRoutes({ minHeight: "52px" }));
export const pair = style(
  inRoutes({ display: "grid", gridTemplateColumns: "minmax(0, 1.6fr) minmax(0, 1fr)", gap: space[3] }),
);

export const mail = style(
  inRoutes({
    paddingBlock: space[4],
    borderTop: `1px solid ${color.line}`,
  }),
);
/** Subjects can contain codes and amounts, so they use the text font. */
export const subject = style(
  inRoutes({ fontFamily: fontFamily.text, fontSize: fontSize.body, fontWeight: fontWeight.strong }),
);
export const envelope = style(inRoutes({ fontSize: fontSize.small, color: color.muted, overflowWrap: "anywhere" }));
export const body = style(inRoutes({ whiteSpace: "pre-wrap", overflowWrap: "anywhere", fontSize: fontSize.small }));

export const balance = style(inRoutes({ display: "grid", gap: space[1] }));
export const coins = style(inRoutes({ display: "flex", flexWrap: "wrap", alignItems: "center", gap: space[3] }));
export const coin = style(
  inRoutes({ display: "inline-flex", alignItems: "center", gap: space[2], fontWeight: fontWeight.strong }),
);

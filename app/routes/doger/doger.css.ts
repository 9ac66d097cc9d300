import { style } from "@vanilla-extract/css";
import { inRoutes } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, fontWeight, media, space } from "~/styles/tokens";

/** Chromium prints the rows of a grid over each other if a card moves to the next page. */
const onPaper = { display: "flex", flexDirection: "column" } as const;

/** A page section. The scroll margin keeps its heading visible when the URL names it (/doger#account). */
export const section = style(
  inRoutes({
    display: "grid",
    gridTemplateColumns: "minmax(0, 1fr)",
    gap: space[5],
    minWidth: 0,
    scrollMarginTop: space[4],
    "@media": { print: onPaper },
  }),
);

/** Between the sizes of the page's title and the cards' headings. */
export const sectionTitle = style(
  inRoutes({ fontSize: "clamp(1.5rem, 1.25rem + 1vw, 1.75rem)", "@media": { print: { breakAfter: "avoid" } } }),
);

/** A card's heading that the URL names (/doger#currency). The scroll margin keeps the top of the card visible. */
export const namedHeading = style(inRoutes({ scrollMarginTop: space[8] }));

/** Links to the sections. */
export const contents = style(inRoutes({ display: "flex", flexWrap: "wrap", gap: `${space[2]} ${space[5]}` }));

export const totals = style(
  inRoutes({
    display: "grid",
    gap: space[6],
    gridTemplateColumns: "minmax(0, 1fr)",
    "@media": { "(min-width: 700px)": { gridTemplateColumns: "minmax(0, 1fr) minmax(0, 1fr)" } },
  }),
);
export const assetTotals = style(
  inRoutes({
    display: "grid",
    gap: space[3],
    alignContent: "start",
    selectors: {
      "& + &": {
        borderTop: `1px solid ${color.line}`,
        paddingTop: space[5],
        "@media": {
          "(min-width: 700px)": { borderTop: 0, borderLeft: `1px solid ${color.line}`, padding: `0 0 0 ${space[6]}` },
        },
      },
    },
  }),
);
export const coinName = style(
  inRoutes({ display: "flex", alignItems: "center", gap: space[2], fontWeight: fontWeight.strong }),
);
export const sums = style(
  inRoutes({ display: "grid", gridTemplateColumns: "repeat(auto-fit, minmax(min(100%, 7.5rem), 1fr))", gap: space[4] }),
);
export const sum = style(
  inRoutes({
    fontSize: "clamp(1.25rem, 1rem + 1vw, 1.75rem)",
    lineHeight: 1.2,
    letterSpacing: "-.02em",
    overflowWrap: "anywhere",
  }),
);
export const sumName = style(inRoutes({ fontSize: fontSize.small, color: color.muted }));
export const head = style(
  inRoutes({
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    justifyContent: "space-between",
    gap: space[3],
  }),
);
export const openLink = style(inRoutes({ fontWeight: fontWeight.strong, whiteSpace: "nowrap" }));
/** Below an amount. */
export const worth = style(inRoutes({ display: "block" }));
/** Hidden in the compact table. */
export const onWide = style(inRoutes({ "@media": { [`not all and ${media.wide}`]: { display: "none" } } }));
export const arrow = style(
  inRoutes({ margin: `0 ${space[1]} 0 -${space[1]}`, "@media": { [media.wide]: { display: "none" } } }),
);
export const columns = style(
  inRoutes({
    display: "grid",
    gridTemplateColumns: "minmax(0, 1fr)",
    gap: space[5],
    alignItems: "start",
    "@media": {
      [media.wide]: { gridTemplateColumns: "minmax(0, 1fr) minmax(0, 1fr)", gap: space[6] },
      print: { ...onPaper, alignItems: "stretch" },
    },
  }),
);
export const column = style(inRoutes({ gap: "inherit" }));
/** Lets the last cards of the page extend into the illustration at the bottom. */
export const lastColumns = style(inRoutes({ "@media": { [media.wide]: { marginBottom: "-84px" } } }));
export const rows = style(inRoutes({ display: "grid" }));
export const row = style(
  inRoutes({
    display: "grid",
    gap: space[1],
    padding: `${space[3]} 0`,
    borderTop: `1px solid ${color.line}`,
    selectors: { "&:first-child": { borderTop: 0, paddingTop: 0 } },
  }),
);
/** A row's text and, always beside it, its button. */
export const withButton = style(
  inRoutes({ display: "grid", gridTemplateColumns: "minmax(0, 1fr) auto", alignItems: "center", gap: space[3] }),
);
export const name = style(inRoutes({ fontWeight: fontWeight.strong, overflowWrap: "anywhere" }));
export const note = style(inRoutes({ fontSize: fontSize.small, color: color.muted }));
export const filters = style(
  inRoutes({
    display: "grid",
    gap: space[4],
    gridTemplateColumns: "repeat(auto-fit, minmax(min(100%, 140px), 1fr))",
    alignItems: "start",
    "@media": { "(min-width: 700px)": { gridTemplateColumns: "repeat(4, minmax(0, 1fr))" } },
  }),
);
export const wholeRow = style(inRoutes({ gridColumn: "1 / -1" }));

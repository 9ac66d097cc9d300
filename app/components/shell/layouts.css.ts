import { style } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontFamily, fontSize, lineHeight, media, space } from "~/styles/tokens";

export const hero = style(
  inComponents({
    flex: 1,
    display: "grid",
    gap: space[5],
    alignContent: "center",
    "@media": {
      [media.wide]: {
        gridTemplateColumns: "minmax(0, 1fr) minmax(0, 468px)",
        gap: `${space[6]} clamp(32px, 5vw, 72px)`,
        alignItems: "center",
        marginBottom: "-84px",
      },
    },
  }),
);
/** Beside a card that is taller than the window, the text is centred in the window and stays in view. */
export const heroIntro = style(
  inComponents({
    "@media": {
      [media.wide]: {
        position: "sticky",
        top: 0,
        alignSelf: "start",
        display: "grid",
        alignContent: "center",
        minHeight: "min(100%, calc(100svh - 160px))",
      },
    },
  }),
);
export const heroTitle = style(
  inComponents({
    fontFamily: fontFamily.display,
    fontSize: fontSize.hero,
    lineHeight: lineHeight.display,
    letterSpacing: "-.022em",
    textWrap: "balance",
  }),
);
export const lede = style(
  inComponents({
    marginTop: space[5],
    maxWidth: "38ch",
    fontSize: fontSize.lede,
    color: color.muted,
    "@media": { [media.phone]: { display: "none" } },
  }),
);
/** Shown in wide windows only. On a phone, the card comes first. */
export const more = style(
  inComponents({ marginTop: space[8], "@media": { [`not all and ${media.wide}`]: { display: "none" } } }),
);
export const figures = style(inComponents({ display: "flex", flexWrap: "wrap", gap: `${space[4]} ${space[6]}` }));
export const figure = style(
  inComponents({
    display: "flex",
    flexDirection: "column-reverse",
    justifyContent: "flex-end",
    borderLeft: `2px solid ${color.line}`,
    paddingLeft: space[3],
  }),
);
export const figureName = style(inComponents({ fontSize: fontSize.small, color: color.muted }));
export const figureValue = style(
  inComponents({ fontWeight: 600, fontSize: fontSize.heading, lineHeight: 1.3, letterSpacing: "-.01em" }),
);

export const narrow = style(
  inComponents({
    flex: 1,
    width: "100%",
    maxWidth: 520,
    margin: "0 auto",
    display: "flex",
    flexDirection: "column",
    justifyContent: "center",
    gap: space[5],
    "@media": { [media.wide]: { paddingBottom: space[4] } },
  }),
);
export const narrowHead = style(inComponents({ display: "grid", gap: space[2], justifyItems: "start" }));
export const title = style(
  inComponents({
    fontFamily: fontFamily.display,
    fontSize: fontSize.title,
    lineHeight: 1.12,
    letterSpacing: "-.015em",
  }),
);

export const wide = style(
  inComponents({
    display: "grid",
    gap: space[5],
    alignItems: "start",
    "@media": {
      [media.wide]: {
        gridTemplateColumns: "minmax(0, 1.5fr) minmax(0, 1fr)",
        gap: space[6],
        paddingTop: space[4],
        marginBottom: "-84px",
      },
    },
  }),
);
export const page = style(
  inComponents({
    display: "grid",
    gridTemplateColumns: "minmax(0, 1fr)",
    gap: space[6],
    alignContent: "start",
    width: "100%",
  }),
);

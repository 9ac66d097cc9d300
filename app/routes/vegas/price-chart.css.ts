import { style } from "@vanilla-extract/css";
import { inRoutes } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, fontWeight, media, radius, space } from "~/styles/tokens";
import { pagePadding } from "./rates-page.css";

/** On the left, for the rate labels. It grows with their text. */
const labelRoom = "3.25rem";
const left = `calc(${pagePadding} + ${labelRoom})`;
const inPlot = {
  position: "absolute",
  top: 0,
  left,
  width: `calc(100% - ${pagePadding} * 2 - ${labelRoom})`,
  height: "100%",
  overflow: "visible",
} as const;

export const figure = style(inRoutes({ flex: 1, display: "flex", flexDirection: "column", minHeight: 300 }));
/** The area spans the full width; the labels keep the page's margin. */
export const plot = style(inRoutes({ position: "relative", flex: 1, minHeight: 220 }));
export const graph = style(inRoutes(inPlot));
export const labels = style(inRoutes(inPlot));
export const areaTop = style(inRoutes({ stopColor: color.ridge }));
export const areaBottom = style(inRoutes({ stopColor: color.hillNear }));
export const line = style(
  inRoutes({
    fill: "none",
    stroke: color.accent,
    strokeWidth: 3,
    strokeLinejoin: "round",
    strokeLinecap: "round",
    vectorEffect: "non-scaling-stroke",
  }),
);
export const gridline = style(
  inRoutes({
    stroke: color.outline,
    strokeWidth: 1,
    strokeDasharray: "2 6",
    vectorEffect: "non-scaling-stroke",
  }),
);
const labelText = { fill: color.ink, fontSize: fontSize.small } as const;
export const label = style(inRoutes(labelText));
export const markLabel = style(
  inRoutes({ ...labelText, fontWeight: fontWeight.strong, "@media": { [media.phone]: { fontSize: "0.8125rem" } } }),
);
export const dot = style(inRoutes({ fill: color.ink }));
export const now = style(inRoutes({ fill: color.accent }));
export const halo = style(inRoutes({ fill: color.accent, opacity: 0.25 }));
/** Directly below the plot, so that the label of the lowest point can overlap it. */
export const axis = style(
  inRoutes({ marginTop: "-1px", paddingTop: space[4], background: color.hillNear, color: color.ink }),
);
/** As wide as the plot, with the labels' font size. */
export const times = style(
  inRoutes({
    containerType: "inline-size",
    width: `calc(100% - ${pagePadding} * 2 - ${labelRoom})`,
    marginLeft: left,
    fontSize: fontSize.small,
  }),
);
const twoLines = "(max-width: 14em)";
export const axisLabels = style(
  inRoutes({
    display: "block",
    width: "100%",
    height: "2em",
    overflow: "visible",
    "@container": { [twoLines]: { height: "3.3em" } },
  }),
);
/**
 * The first and the last label, and those between them if there is room: a time such as "12:00 AM" is 4.6 em wide, and
 * 5.7 em for visitors who space out letters. The last one moves to a second line if there is room for only one.
 */
export const axisLabel = style(
  inRoutes({
    fill: color.ink,
    "@container": {
      "(max-width: 42em)": { selectors: { "&:nth-child(even):not(:last-child)": { display: "none" } } },
      "(max-width: 21em)": { selectors: { "&:not(:first-child, :last-child)": { display: "none" } } },
      [twoLines]: { selectors: { "&:last-child": { transform: "translateY(1.3em)" } } },
    },
  }),
);
export const caption = style(
  inRoutes({ padding: `${space[2]} ${pagePadding} 0`, background: color.hillNear, fontSize: fontSize.small }),
);

/** Covers the plot. Swiping sideways moves along the chart; swiping up or down scrolls the page. */
export const reader = style(
  inRoutes({ ...inPlot, touchAction: "pan-y", "@media": { "(scripting: none)": { display: "none" } } }),
);
const thumb = { appearance: "none", width: 1, height: 1, background: "none", border: 0 } as const;
/** For the keyboard only. Pointers are handled on the plot, because points may be unevenly spaced. */
export const slider = style(
  inRoutes({
    position: "absolute",
    inset: "0 -8px",
    width: "calc(100% + 16px)",
    height: "100%",
    margin: 0,
    appearance: "none",
    background: "none",
    borderRadius: radius.note,
    pointerEvents: "none",
    selectors: { "&::-webkit-slider-thumb": thumb, "&::-moz-range-thumb": thumb },
  }),
);
export const cursor = style(
  inRoutes({
    position: "absolute",
    inset: "0 auto 0 0",
    borderLeft: `1px dashed ${color.ink}`,
    pointerEvents: "none",
  }),
);
export const cursorDot = style(
  inRoutes({
    position: "absolute",
    left: "-7px",
    width: 13,
    height: 13,
    marginTop: "-6px",
    border: `3px solid ${color.raised}`,
    borderRadius: radius.full,
    background: color.accent,
  }),
);
export const cursorLabel = style(
  inRoutes({
    position: "absolute",
    top: 0,
    display: "grid",
    padding: `${space[1]} ${space[3]}`,
    border: `1px solid ${color.outline}`,
    borderRadius: radius.note,
    background: color.raised,
    color: color.ink,
    fontSize: fontSize.small,
    whiteSpace: "nowrap",
  }),
);

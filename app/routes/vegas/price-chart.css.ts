import { style } from "@vanilla-extract/css";
import { inRoutes } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, fontWeight, media, space } from "~/styles/tokens";
import { pagePadding } from "./rates-page.css";

/** Leaves room on the left for the rate labels. */
const left = `calc(${pagePadding} + 52px)`;
const inPlot = {
  position: "absolute",
  top: 0,
  left,
  width: `calc(100% - ${pagePadding} * 2 - 52px)`,
  height: "100%",
  overflow: "visible",
} as const;

export const figure = style(inRoutes({ flex: 1, display: "flex", flexDirection: "column", minHeight: 300 }));
/** The area spans the full width; the labels keep the page's margin. */
export const plot = style(inRoutes({ position: "relative", flex: 1, minHeight: 220 }));
export const graph = style(inRoutes(inPlot));
export const labels = style(inRoutes(inPlot));
export const areaTop = style(inRoutes({ stopColor: color.hillFar }));
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
export const axisLabels = style(
  inRoutes({
    width: `calc(100% - ${pagePadding} * 2 - 52px)`,
    height: "28px",
    marginLeft: left,
    overflow: "visible",
  }),
);
export const axisLabel = style(
  inRoutes({
    ...labelText,
    "@media": {
      [media.phone]: { selectors: { "&:nth-child(even)": { display: "none" } } },
    },
  }),
);
export const caption = style(
  inRoutes({ padding: `${space[2]} ${pagePadding} 0`, background: color.hillNear, fontSize: fontSize.small }),
);

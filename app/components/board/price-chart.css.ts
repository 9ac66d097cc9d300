import { style } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, fontWeight, media, space } from "~/styles/tokens";
import { boardSide } from "./board.css";

/** Room at the left for the rates up the side. */
const left = `calc(${boardSide} + 52px)`;
const inPlot = {
  position: "absolute",
  top: 0,
  left,
  width: `calc(100% - ${boardSide} * 2 - 52px)`,
  height: "100%",
  overflow: "visible",
} as const;

export const figure = style(inComponents({ flex: 1, display: "flex", flexDirection: "column", minHeight: 300 }));
/** The land goes from edge to edge; the words keep the board's margin. */
export const plot = style(inComponents({ position: "relative", flex: 1, minHeight: 220 }));
export const ridge = style(inComponents(inPlot));
export const words = style(inComponents(inPlot));
export const ridgeTop = style(inComponents({ stopColor: color.hillFar }));
export const ridgeFoot = style(inComponents({ stopColor: color.hillNear }));
export const line = style(
  inComponents({
    fill: "none",
    stroke: color.accent,
    strokeWidth: 3,
    strokeLinejoin: "round",
    strokeLinecap: "round",
    vectorEffect: "non-scaling-stroke",
  }),
);
export const rung = style(
  inComponents({
    stroke: color.outline,
    strokeWidth: 1,
    strokeDasharray: "2 6",
    vectorEffect: "non-scaling-stroke",
  }),
);
const figures = { fill: color.ink, fontSize: fontSize.small } as const;
export const label = style(inComponents(figures));
export const markWords = style(
  inComponents({ ...figures, fontWeight: fontWeight.strong, "@media": { [media.phone]: { fontSize: "0.8125rem" } } }),
);
export const dot = style(inComponents({ fill: color.ink }));
export const now = style(inComponents({ fill: color.accent }));
export const halo = style(inComponents({ fill: color.accent, opacity: 0.25 }));
/** The ground begins where the ridge ends; the word for the lowest point may stand in it. */
export const ground = style(
  inComponents({ marginTop: "-1px", paddingTop: space[4], background: color.hillNear, color: color.ink }),
);
export const foot = style(
  inComponents({
    width: `calc(100% - ${boardSide} * 2 - 52px)`,
    height: "28px",
    marginLeft: left,
    overflow: "visible",
  }),
);
export const footLabel = style(
  inComponents({
    ...figures,
    "@media": {
      [media.phone]: { selectors: { "&:nth-child(even)": { display: "none" } } },
    },
  }),
);
export const caption = style(
  inComponents({ padding: `${space[2]} ${boardSide} 0`, background: color.hillNear, fontSize: fontSize.small }),
);

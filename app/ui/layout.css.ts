import { style, styleVariants } from "@vanilla-extract/css";
import { inUi } from "~/styles/layered";
import { space } from "~/styles/tokens";

export const stack = style(inUi({ display: "flex", flexDirection: "column", minWidth: 0 }));
export const row = style(inUi({ display: "flex", flexWrap: "wrap", minWidth: 0 }));

const { 0: none, 1: s1, 2: s2, 3: s3, 4: s4, 6: s6, 8: s8, 12: s12 } = space;
export const gaps = styleVariants({ 0: none, 1: s1, 2: s2, 3: s3, 4: s4, 6: s6, 8: s8, 12: s12 }, (gap) =>
  inUi({ gap }),
);
export const align = styleVariants(
  { start: "flex-start", center: "center", end: "flex-end", baseline: "baseline" },
  (at) => inUi({ alignItems: at }),
);
export const justify = styleVariants({ between: "space-between", center: "center", end: "flex-end" }, (at) =>
  inUi({ justifyContent: at }),
);

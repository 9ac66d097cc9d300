import { style, styleVariants } from "@vanilla-extract/css";
import { inUi } from "~/styles/layered";
import { space } from "~/styles/tokens";

export const stack = style(inUi({ display: "flex", flexDirection: "column", minWidth: 0 }));
export const row = style(inUi({ display: "flex", flexWrap: "wrap", minWidth: 0 }));

const { 1: s1, 2: s2, 3: s3, 4: s4, 6: s6 } = space;
export const gaps = styleVariants({ 1: s1, 2: s2, 3: s3, 4: s4, 6: s6 }, (gap) => inUi({ gap }));
export const align = styleVariants({ start: "flex-start", center: "center", baseline: "baseline" }, (at) =>
  inUi({ alignItems: at }),
);
export const justify = styleVariants({ between: "space-between", center: "center", end: "flex-end" }, (at) =>
  inUi({ justifyContent: at }),
);

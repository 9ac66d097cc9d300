import { style } from "@vanilla-extract/css";
import { inRoutes } from "~/styles/layered";
import { space } from "~/styles/tokens";

/** `contents`, so that each page controls its own layout. */
export const page = style(inRoutes({ display: "contents" }));
/** Not `display: none`: the page keeps its height, and so the window its scroll position. */
export const hiddenPage = style([page, inRoutes({ visibility: "hidden" })]);

/** In the middle of the window below the header, wherever the hidden page is scrolled to. */
export const loading = style(
  inRoutes({
    position: "fixed",
    inset: `${space[16]} 0 0`,
    display: "grid",
    alignContent: "safe center",
    padding: `0 ${space[4]}`,
    pointerEvents: "none",
  }),
);

import { style } from "@vanilla-extract/css";
import { inRoutes } from "~/styles/layered";

/** Collapsed until the visitor expands it; always visible without JavaScript. */
export const collapsed = style(inRoutes({ "@media": { "(scripting: enabled)": { display: "none" } } }));

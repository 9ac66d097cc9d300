import { style } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";

/** Collapsed until the visitor expands it; always visible without JavaScript. */
export const collapsed = style(inComponents({ "@media": { "(scripting: enabled)": { display: "none" } } }));

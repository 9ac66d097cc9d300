import { style } from "@vanilla-extract/css";
import { inRoutes } from "~/styles/layered";

/** The page's own box decides how it stands in the frame. */
export const page = style(inRoutes({ display: "contents", selectors: { "&[hidden]": { display: "none" } } }));

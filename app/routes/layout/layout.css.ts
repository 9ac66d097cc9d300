import { style } from "@vanilla-extract/css";
import { inRoutes } from "~/styles/layered";

/** `contents`, so that each page controls its own layout. */
export const page = style(inRoutes({ display: "contents" }));

import { style } from "@vanilla-extract/css";
import { inRoutes } from "~/styles/layered";

/** Room for six lines, so that the field clearly expects a message. */
export const message = style(inRoutes({ minHeight: 168 }));

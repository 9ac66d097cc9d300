import { style } from "@vanilla-extract/css";
import { inRoutes } from "~/styles/layered";

/** Room for six lines, so that the field looks as if a message goes there. */
export const message = style(inRoutes({ minHeight: 168 }));

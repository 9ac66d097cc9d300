import { style } from "@vanilla-extract/css";
import { inUi } from "~/styles/layered";

export const icon = style(inUi({ flex: "none", width: "1.25em", height: "1.25em" }));

import { style } from "@vanilla-extract/css";
import { inUi } from "~/styles/layered";

export const focusKeeper = style(inUi({ "@media": { "(scripting: none)": { display: "none" } } }));

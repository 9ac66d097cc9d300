import { style } from "@vanilla-extract/css";
import { inUi } from "~/styles/layered";

export const needsScripts = style(
  inUi({ display: "contents", "@media": { "(scripting: none)": { display: "none" } } }),
);

import { style } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";

export const needsScripts = style(
  inComponents({ display: "contents", "@media": { "(scripting: none)": { display: "none" } } }),
);

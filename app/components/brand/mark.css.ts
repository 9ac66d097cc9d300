import { style } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";
import { color } from "~/styles/theme.css";

export const mark = style(inComponents({ flex: "none", width: "auto", height: 36, color: color.accent }));

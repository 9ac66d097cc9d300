import { style } from "@vanilla-extract/css";
import { inUi } from "~/styles/layered";

export const visuallyHidden = style(
  inUi({
    position: "absolute",
    width: 1,
    height: 1,
    overflow: "hidden",
    clipPath: "inset(50%)",
    whiteSpace: "nowrap",
  }),
);

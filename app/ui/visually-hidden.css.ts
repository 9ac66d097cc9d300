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

/** Leaves no gap in a row or a stack while it is empty. */
export const roomless = style(inUi({ ":empty": { position: "absolute" } }));

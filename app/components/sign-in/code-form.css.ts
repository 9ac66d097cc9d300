import { style } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";
import { fontSize, fontWeight } from "~/styles/tokens";

/** The only task of its page: six digits, easy to compare with the e-mail. */
export const digits = style(
  inComponents({ fontSize: fontSize.heading, fontWeight: fontWeight.medium, letterSpacing: ".2em" }),
);

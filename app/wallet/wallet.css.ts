import { style } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";
import { radius, space } from "~/styles/tokens";

export const choices = style(
  inComponents({ display: "grid", gap: space[2], listStyle: "none", padding: 0, margin: 0 }),
);
export const picture = style(
  inComponents({ width: space[6], height: space[6], borderRadius: radius.small, flexShrink: 0 }),
);

import { style } from "@vanilla-extract/css";
import { inUi } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { space } from "~/styles/tokens";

export const empty = style(
  inUi({
    display: "flex",
    flexDirection: "column",
    alignItems: "center",
    gap: space[3],
    padding: `${space[8]} ${space[4]}`,
    textAlign: "center",
  }),
);
export const text = style(inUi({ maxWidth: "44ch", color: color.muted }));
export const action = style(inUi({ marginTop: space[3] }));

import { style } from "@vanilla-extract/css";
import { inRoutes } from "~/styles/layered";
import { space } from "~/styles/tokens";

export const list = style(inRoutes({ display: "grid", gap: space[1], paddingLeft: "1.25em", listStyle: "disc" }));

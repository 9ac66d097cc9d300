import { style } from "@vanilla-extract/css";
import { inRoutes } from "~/styles/layered";

export const amount = style(inRoutes({ display: "inline-block" }));

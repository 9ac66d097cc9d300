import { style } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";

export const amount = style(inComponents({ display: "inline-block" }));

import { style } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";

/** Where no script runs nobody can ask, so it is simply there. */
export const untilAskedFor = style(inComponents({ "@media": { "(scripting: enabled)": { display: "none" } } }));

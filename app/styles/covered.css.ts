import { createVar } from "@vanilla-extract/css";

/** How much of the window's bottom a bar covers. Unset without a bar. */
export const coveredByBar = createVar();

import { style } from "@vanilla-extract/css";
import { inUi } from "~/styles/layered";
import { needsScripts } from "./needs-scripts.css";

/** A group whose only content needs JavaScript doesn't take up space without it. */
export const focusKeeper = style(
  inUi({
    "@media": {
      "(scripting: none)": { selectors: { [`&:has(> ${needsScripts}:only-child)`]: { display: "none" } } },
    },
  }),
);

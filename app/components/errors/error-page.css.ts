import { globalStyle, style } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";
import { media, space } from "~/styles/tokens";

/** The antelope beside the words; on a phone above them, and smaller. */
const beside = inComponents({
  display: "grid",
  gridTemplateColumns: "auto minmax(0, 1fr)",
  alignItems: "center",
  gap: `${space[5]} ${space[8]}`,
  "@media": { [media.phone]: { gridTemplateColumns: "minmax(0, 1fr)" } },
});
export const bare = style(beside);
/** Wider than its column, so that its lines of text are as long as in a form. */
export const card = style([beside, inComponents({ "@media": { [media.wide]: { margin: "0 -64px" } } })]);
globalStyle(`${card} > svg`, inComponents({ "@media": { [media.phone]: { width: 68 } } }));
globalStyle(`${bare} > svg`, inComponents({ "@media": { [media.phone]: { width: 112 } } }));

import { assignVars, createGlobalThemeContract, globalStyle } from "@vanilla-extract/css";
import { inTokens } from "./layered";
import { day, night, type Palette } from "./palette";

type Names = { [Role in keyof Palette]: Role };
const names = Object.fromEntries(Object.keys(day).map((role) => [role, role])) as Names;

/** CSS variables named by role: `color.raised` is the colour of raised surfaces in the current theme. */
export const color = createGlobalThemeContract(names, (role) => `c-${role}`);

const byDay = inTokens({ colorScheme: "light", vars: assignVars(color, day) });
const byNight = { colorScheme: "dark", vars: assignVars(color, night) };

globalStyle(":root", byDay);
/** The dark theme applies only to screens, so printed pages are always light. */
globalStyle(
  ':root:not([data-theme="light"])',
  inTokens({ "@media": { "screen and (prefers-color-scheme: dark)": byNight } }),
);
globalStyle(':root[data-theme="dark"]', inTokens({ "@media": { screen: byNight } }));

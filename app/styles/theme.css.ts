import { assignVars, createGlobalThemeContract, globalStyle } from "@vanilla-extract/css";
import { inTokens } from "./layered";
import { day, night, type Palette } from "./palette";

type Names = { [Role in keyof Palette]: Role };
const names = Object.fromEntries(Object.keys(day).map((role) => [role, role])) as Names;

/** Roles, not colours: `color.raised` is whatever a raised surface is by day or by night. */
export const color = createGlobalThemeContract(names, (role) => `c-${role}`);

const byDay = inTokens({ colorScheme: "light", vars: assignVars(color, day) });
const byNight = { colorScheme: "dark", vars: assignVars(color, night) };

globalStyle(":root", byDay);
/** Paper is white at night too. */
globalStyle(
  ':root:not([data-theme="light"])',
  inTokens({ "@media": { "screen and (prefers-color-scheme: dark)": byNight } }),
);
globalStyle(':root[data-theme="dark"]', inTokens({ "@media": { screen: byNight } }));

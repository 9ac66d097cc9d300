import type { themeAttribute } from "~/lib/theme";
import { overhead } from "~/styles/palette";

/** The attributes of a `<meta name="theme-color">`. */
export type BrowserColor = { media?: string; content: string };

/** The colours of the theme that the visitor has chosen, if any; otherwise the device's setting applies. */
export function toBrowserColors(theme: ReturnType<typeof themeAttribute>): BrowserColor[] {
  if (theme) return [{ content: theme === "dark" ? overhead.night : overhead.day }];
  return [
    { media: "(prefers-color-scheme: light)", content: overhead.day },
    { media: "(prefers-color-scheme: dark)", content: overhead.night },
  ];
}

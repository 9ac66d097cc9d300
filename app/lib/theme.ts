import { readCookie } from "./read-cookie";

/** Light, dark or the device setting. Stored in a cookie, so that the server can render the theme. */
export const themes = ["auto", "light", "dark"] as const;
export type ThemeName = (typeof themes)[number];

export const themeCookie = "theme";

/** @param header a Cookie header, or `document.cookie` */
export function readTheme(header: string | null): ThemeName {
  const value = readCookie(header, themeCookie);
  return value === "light" || value === "dark" ? value : "auto";
}

/** The value of <html data-theme>; undefined when the device setting applies. */
export function themeAttribute(theme: ThemeName): "light" | "dark" | undefined {
  return theme === "auto" ? undefined : theme;
}

/** Light, dark or the device setting. Stored in a cookie, so that the server can render the theme. */
export const themes = ["auto", "light", "dark"] as const;
export type ThemeName = (typeof themes)[number];

const cookie = "theme";

/** @param header a Cookie header, or `document.cookie` */
export function readTheme(header: string | null): ThemeName {
  const value = header?.match(/(?:^|;\s*)theme=(light|dark)(?:;|$)/)?.[1];
  return value === "light" || value === "dark" ? value : "auto";
}

/** The value of <html data-theme>; undefined when the device setting applies. */
export function themeAttribute(theme: ThemeName): "light" | "dark" | undefined {
  return theme === "auto" ? undefined : theme;
}

/** Browser only: applies the theme and stores it for a year. */
export function storeTheme(theme: ThemeName): void {
  const attribute = themeAttribute(theme);
  if (attribute) document.documentElement.dataset.theme = attribute;
  else delete document.documentElement.dataset.theme;
  const seconds = attribute ? 31_536_000 : 0;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
  document.cookie = `${cookie}=${attribute ?? ""}; Path=/; Max-Age=${seconds}; SameSite=Lax`;
}

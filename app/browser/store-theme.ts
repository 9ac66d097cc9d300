import { yearSeconds } from "~/lib/durations";
import { type ThemeName, themeAttribute, themeCookie } from "~/lib/theme";

/** Applies the theme, to the browser's own interface as well (theme-colors.tsx), and stores it for a year. */
export function storeTheme(theme: ThemeName): void {
  const attribute = themeAttribute(theme);
  if (attribute) document.documentElement.dataset.theme = attribute;
  else delete document.documentElement.dataset.theme;
  const { backgroundColor } = getComputedStyle(document.documentElement);
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")) {
    // An element with `media` already has the right colour for one theme of the device.
    meta.dataset.own ??= meta.content;
    meta.content = attribute || !meta.media ? backgroundColor : meta.dataset.own;
  }
  const seconds = attribute ? yearSeconds : 0;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
  document.cookie = `${themeCookie}=${attribute ?? ""}; Path=/; Max-Age=${seconds}; SameSite=Lax`;
}

import type { themeAttribute } from "~/lib/theme";
import { overhead } from "~/styles/palette";

/**
 * Colours the browser's own interface (address bar, title bar) to match the top of the page.
 *
 * @param theme the theme that the visitor has chosen, if any; otherwise the device's setting applies
 */
export function ThemeColors({ theme }: { theme: ReturnType<typeof themeAttribute> }) {
  return (
    <>
      <meta name="color-scheme" content={theme ?? "light dark"} />
      {theme ? (
        <meta name="theme-color" content={theme === "dark" ? overhead.night : overhead.day} />
      ) : (
        <>
          <meta name="theme-color" media="(prefers-color-scheme: light)" content={overhead.day} />
          <meta name="theme-color" media="(prefers-color-scheme: dark)" content={overhead.night} />
        </>
      )}
    </>
  );
}

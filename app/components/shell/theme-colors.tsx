import type { BrowserColor } from "./browser-colors.server";

/**
 * Colours the browser's own interface (address bar, title bar) to match the top of the page. The server sends the
 * colours, so that the browser does not have to load them as code too.
 */
export function ThemeColors({ scheme = "light dark", colors }: { scheme?: string; colors?: readonly BrowserColor[] }) {
  return (
    <>
      <meta name="color-scheme" content={scheme} />
      {colors?.map((color) => (
        <meta name="theme-color" key={color.content} {...color} />
      ))}
    </>
  );
}

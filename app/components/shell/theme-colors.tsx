import { overhead } from "~/styles/palette";

/** Colours the browser's own interface (address bar, title bar) to match the top of the page. */
export function ThemeColors() {
  return (
    <>
      <meta name="color-scheme" content="light dark" />
      <meta name="theme-color" media="(prefers-color-scheme: light)" content={overhead.day} />
      <meta name="theme-color" media="(prefers-color-scheme: dark)" content={overhead.night} />
    </>
  );
}

import { overhead } from "~/styles/palette";

/** The browser's own edges take the colour of the sky overhead. */
export function ThemeColors() {
  return (
    <>
      <meta name="color-scheme" content="light dark" />
      <meta name="theme-color" media="(prefers-color-scheme: light)" content={overhead.day} />
      <meta name="theme-color" media="(prefers-color-scheme: dark)" content={overhead.night} />
    </>
  );
}

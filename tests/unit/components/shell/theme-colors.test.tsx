import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { toBrowserColors } from "~/components/shell/browser-colors.server";
import { ThemeColors } from "~/components/shell/theme-colors";
import { overhead } from "~/styles/palette";

it.each([
  ["light", overhead.day],
  ["dark", overhead.night],
] as const)("colours the browser by the chosen %s theme, whatever the device's setting is", (theme, color) => {
  expect(renderToStaticMarkup(<ThemeColors scheme={theme} colors={toBrowserColors(theme)} />)).toBe(
    `<meta name="color-scheme" content="${theme}"/><meta name="theme-color" content="${color}"/>`,
  );
});

it("colours the browser by the device's setting if no theme is chosen", () => {
  const html = renderToStaticMarkup(<ThemeColors colors={toBrowserColors(undefined)} />);
  expect(html).toContain('<meta name="color-scheme" content="light dark"/>');
  expect(html).toContain(`media="(prefers-color-scheme: dark)" content="${overhead.night}"`);
});

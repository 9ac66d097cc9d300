// @vitest-environment jsdom
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { storeTheme } from "~/browser/store-theme";
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

it("colours the browser by a theme as soon as it is chosen", () => {
  document.head.innerHTML = renderToStaticMarkup(<ThemeColors colors={toBrowserColors(undefined)} />);
  const style = document.createElement("style");
  style.textContent =
    "html { background-color: rgb(1, 1, 1) } html[data-theme=dark] { background-color: rgb(2, 2, 2) }";
  document.head.append(style);
  storeTheme("dark");
  const colors = [...document.querySelectorAll("meta[name=theme-color]")].map((meta) => meta.getAttribute("content"));
  expect(colors).toEqual(["rgb(2, 2, 2)", "rgb(2, 2, 2)"]);
  storeTheme("auto");
  document.head.innerHTML = "";
});

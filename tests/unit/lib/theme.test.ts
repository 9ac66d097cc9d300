import { describe, expect, it } from "vitest";
import { readTheme, themeAttribute } from "~/lib/theme";

describe("the theme preference", () => {
  it.each([
    ["theme=dark", "dark"],
    ["hasVisited=true; theme=light", "light"],
    ["theme=dark; other=1", "dark"],
    ["nottheme=dark", "auto"],
    ["theme=darker", "auto"],
    ["theme=", "auto"],
    [null, "auto"],
  ])("reads %s as %s", (cookie, theme) => {
    expect(readTheme(cookie)).toBe(theme);
  });

  it("does not set an attribute when the device setting applies", () => {
    expect(themeAttribute("auto")).toBeUndefined();
    expect(themeAttribute("dark")).toBe("dark");
  });
});

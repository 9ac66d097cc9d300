import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { characters, fonts, subset, toPath } from "~/commands/subset-fonts";

/** In the site's code, but in neither of the fonts. */
const missing = "─≈→≥₮‖٠٢٥٫٬";

describe("the fonts", () => {
  it.each(fonts)("$file is what `npm run fonts:subset` makes", async (font) => {
    expect((await subset(font)).equals(readFileSync(toPath(font.file)))).toBe(true);
  });

  it("have every character of the site's texts, unless the original fonts lack it", () => {
    const folders = ["api", "components", "content", "currency", "lib", "routes", "ui"];
    const files = folders.flatMap((folder) =>
      readdirSync(join("app", folder), { recursive: true, encoding: "utf8" })
        .filter((name) => /\.(?:tsx?|md)$/.test(name))
        .map((name) => join("app", folder, name)),
    );
    const used = new Set(files.flatMap((file) => [...readFileSync(file, "utf8")]));
    const printable = [...used].filter((character) => !/\s/.test(character)).sort();
    expect(printable.length).toBeGreaterThan(90);
    expect(printable.filter((character) => !(characters + missing).includes(character))).toEqual([]);
  });
});

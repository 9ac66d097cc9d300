/**
 * `npm run fonts:subset` makes the files in styles/fonts/: Figtree and Young Serif without the characters and features
 * that the site does not use, 31 kB instead of 47. The files are committed, so that builds work without font tools. A
 * test checks that they match what this script makes. Both fonts have the SIL Open Font License (OFL.txt).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";

type Font = { file: string; source: string; features: readonly string[] };

const require = createRequire(import.meta.url);

/** The features that browsers apply by default, without ligatures and variants that must be requested. */
const defaultFeatures = ["calt", "ccmp", "kern", "liga", "locl", "mark", "mkmk", "rlig"];

export const fonts: readonly Font[] = [
  {
    file: "figtree.woff2",
    source: require.resolve("@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2"),
    features: [...defaultFeatures, "tnum"],
  },
  {
    file: "young-serif.woff2",
    source: require.resolve("@fontsource/young-serif/files/young-serif-latin-400-normal.woff2"),
    features: defaultFeatures,
  },
];

/** ASCII, Latin-1 (for names), and the punctuation and signs of the site's texts and amounts. */
export const characters = `${toText(0x20, 0x7e)}${toText(0xa0, 0xff)}–—‘’“”…€−`;

function toText(first: number, last: number): string {
  return Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)).join("");
}

/**
 * The font with these characters only, and without hinting, which takes 7 kB of Young Serif and matters only at small
 * sizes.
 */
export function subset({ source, features }: Font): Promise<Buffer> {
  return subsetFont(readFileSync(source), characters, {
    targetFormat: "woff2",
    keepFeatures: features,
    noHinting: true,
  });
}

export function toPath(file: string): string {
  return fileURLToPath(new URL(`../styles/fonts/${file}`, import.meta.url));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const font of fonts) writeFileSync(toPath(font.file), await subset(font));
}

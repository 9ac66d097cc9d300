import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Appearance, appearances } from "../e2e/support/appearances";
import { sceneGroups } from "../e2e/support/scenes/all-scenes";
import { folder, toFileName, toPath } from "./files";

/** Writes a page with all pictures, marking those that are missing. Deletes pictures of removed scenes. */
export default function writeIndex(): void {
  const scenes = sceneGroups.flatMap((group) => group.scenes);
  const expected = new Set(scenes.flatMap((scene) => appearances.map((appearance) => toFileName(scene, appearance))));
  for (const name of readdirSync(folder)) {
    if (name.endsWith(".png") && !expected.has(name)) rmSync(toPath(name));
  }
  writeFileSync(toPath("index.html"), toPage(scenes.length));
  process.stdout.write(`${scenes.length} scenes: ${pathToFileURL(resolve(toPath("index.html"))).href}\n`);
}

const themeNames = { light: "light", dark: "dark" };

function toPage(sceneCount: number): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Every screen of Antelope</title>
<style>${style}</style>
<header>
  <h1>Every screen of Antelope</h1>
  <p>${sceneCount} scenes, ${appearances.length} appearances each, taken ${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC.</p>
  <fieldset>
    <legend>Show</legend>
    <label><input type="checkbox" id="wide" checked> desktop</label>
    <label><input type="checkbox" id="narrow" checked> phone</label>
    <label><input type="checkbox" id="light" checked> light</label>
    <label><input type="checkbox" id="dark" checked> dark</label>
  </fieldset>
  <nav>${sceneGroups.map(({ name }) => `<a href="#${name}">${name}</a>`).join(" ")}</nav>
</header>
<main>
${sceneGroups
  .map(({ name, scenes }) => `<section id="${name}"><h2>${name}</h2>${scenes.map(toScene).join("\n")}</section>`)
  .join("\n")}
</main>
</html>
`;
}

function toScene(scene: string): string {
  return `<article id="scene-${scene}"><h3><a href="#scene-${scene}">${scene}</a></h3><div>${appearances
    .map((appearance) => toPicture(scene, appearance))
    .join("")}</div></article>`;
}

function toPicture(scene: string, appearance: Appearance): string {
  const name = toFileName(scene, appearance);
  const caption = `${appearance.width}, ${themeNames[appearance.colorScheme]}`;
  const kinds = `${appearance.width > 600 ? "wide" : "narrow"} ${appearance.colorScheme}`;
  const picture = existsSync(toPath(name))
    ? `<a href="${name}"><img src="${name}" alt="${scene}, ${caption}" loading="lazy" decoding="async"></a>`
    : "<p>missing</p>";
  return `<figure class="${kinds}">${picture}<figcaption>${caption}</figcaption></figure>`;
}

const style = `
:root { color-scheme: light dark; --ground: light-dark(#fbf5ea, #0f1220); --ink: light-dark(#2b1c12, #f4ece2);
  --muted: light-dark(#705c4a, #a9a6b8); --line: light-dark(#e6d8c3, #2f3145); --accent: light-dark(#b0431c, #f49a63); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 Figtree, system-ui, sans-serif; }
header { padding: 48px clamp(16px, 4vw, 64px) 24px; }
h1 { font: 400 40px/1.1 "Young Serif", Georgia, serif; margin: 0 0 8px; }
h2 { font: 400 28px/1.2 "Young Serif", Georgia, serif; margin: 0; padding: 48px 0 8px; }
h3 { font-size: 16px; margin: 24px 0 8px; }
p { margin: 0; color: var(--muted); }
a { color: var(--accent); text-underline-offset: 3px; }
h3 a { color: inherit; text-decoration: none; }
fieldset { border: 0; padding: 0; margin: 24px 0 12px; display: flex; flex-wrap: wrap; gap: 8px 20px; }
legend { float: left; padding: 0; margin-right: 20px; color: var(--muted); }
label { display: inline-flex; gap: 8px; align-items: center; min-height: 24px; }
input { width: 18px; height: 18px; accent-color: var(--accent); }
nav { display: flex; flex-wrap: wrap; gap: 4px 16px; }
main { padding: 0 clamp(16px, 4vw, 64px) 64px; }
section { border-top: 1px solid var(--line); margin-top: 32px; }
article > div { display: flex; gap: 16px; overflow-x: auto; padding-bottom: 8px; align-items: flex-start; }
figure { margin: 0; flex: none; }
figure.wide { width: min(560px, 80vw); }
figure.narrow { width: 200px; }
figure a, figure > p { display: block; height: 394px; overflow: hidden; border: 1px solid var(--line); border-radius: 14px; }
figure > p { display: grid; place-items: center; }
figure img { width: 100%; display: block; }
figcaption { color: var(--muted); font-size: 14px; padding-top: 4px; }
body:has(#wide:not(:checked)) .wide, body:has(#narrow:not(:checked)) .narrow,
body:has(#light:not(:checked)) .light, body:has(#dark:not(:checked)) .dark { display: none; }
`;

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

/** Every list of a file that has a class, with the rule of that class. */
function findStyledLists(path: string): string[] {
  const source = readFileSync(path, "utf8");
  const sheet = /import \* as styles from "\.\/(.+)";/.exec(source)?.[1];
  return [...source.matchAll(/<[uo]l [^>]*className=\{styles\.(\w+)\}/g)].map(([tag, name]) => {
    const css = sheet ? readFileSync(join(dirname(path), `${sheet}.ts`), "utf8") : "";
    return `${path}: ${tag} ${css.split(`export const ${name} = `)[1]?.split("\n")[0]}`;
  });
}

it("every list without markers is a PlainList, because Safari would not treat it as a list", () => {
  const files = readdirSync("app", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".tsx"));
  const lists = files.flatMap((file) => findStyledLists(join("app", file)));
  expect(lists.length).toBeGreaterThan(0);
  expect(lists.filter((list) => !/listStyle: "(?:disc|decimal)"/.test(list))).toEqual([]);
});

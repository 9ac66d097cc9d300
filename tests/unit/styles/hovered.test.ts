import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

it("hover styles apply only to a mouse", () => {
  const sheets = readdirSync("app", { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".css.ts"));
  expect(sheets.length).toBeGreaterThan(50);
  const always = sheets.filter((path) => /:hover[^"]*"\]?:/.test(readFileSync(join("app", path), "utf8")));
  expect(always).toEqual([]);
});

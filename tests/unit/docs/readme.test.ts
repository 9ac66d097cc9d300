import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { settings } from "../../../app/config/settings.server";
import { toConfigTable } from "../../../app/config/table.server";
import routes from "../../../app/routes";

const readme = readFileSync("README.md", "utf8");
const part = (name: string) => readme.split(`<!-- ${name} -->\n`)[1]?.split(`<!-- /${name} -->`)[0] ?? "";

describe("the README is true", () => {
  test("it begins with the two commands", () => {
    expect(readme.split("\n").slice(2, 6).join("\n")).toMatch(/npm ci && npm start[\s\S]*npm ci && npm test/);
  });

  test("the table of the configuration is the schema's", () => {
    expect(part("config").trim()).toBe(toConfigTable(settings).trim());
  });

  test("every screen names a module that exists, and every screen of the route table is named", async () => {
    const named = [...part("screens").matchAll(/`((?:routes|components)\/[^`]+)`/g)].map(([, path = ""]) => path);
    for (const path of named) expect(existsSync(`app/${path}`), path).toBe(true);
    const files: string[] = [];
    const walk = (entries: { file: string; path?: string; children?: unknown[] }[]) => {
      for (const entry of entries) {
        if (entry.file.endsWith(".tsx") && !entry.children) files.push(entry.file);
        walk((entry.children ?? []) as typeof entries);
      }
    };
    walk((await routes) as never);
    const screens = files
      .filter((file) => !file.includes("styleguide"))
      .map((file) => file.replace(/\/route\.tsx$/, ""));
    for (const screen of screens) expect(named, screen).toContain(screen);
  });

  test("every npm script that it names exists, and every script is named", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
    for (const [, name = ""] of readme.matchAll(/npm run ([a-z:]+)/g)) expect(Object.keys(scripts)).toContain(name);
    for (const name of Object.keys(scripts)) expect(readme).toMatch(new RegExp(`npm (run )?${name}\\b`));
  });
});

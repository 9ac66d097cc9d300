import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import routes from "~/routes";

const readme = readFileSync("README.md", "utf8");
const contributing = readFileSync("CONTRIBUTING.md", "utf8");

describe("the README", () => {
  it("begins with the two commands", () => {
    expect(readme.split("\n").slice(2, 6).join("\n")).toMatch(/npm ci && npm start[\s\S]*npm ci && npm test/);
  });

  it("lists only existing folders of app/", () => {
    const folders = readme.split("## Folders")[1]?.split("```")[1] ?? "";
    const named = [...folders.matchAll(/(?<=^ {2}.*)\b([\w.-]+)\/(?= )/gm)].map(([, folder]) => folder ?? "");
    expect(named.filter((folder) => !existsSync(`app/${folder}`))).toEqual([]);
    expect(named).toEqual(expect.arrayContaining(["routes", "session", "lib", "exchange.server", "sandbox.server"]));
  });

  it("says that no licence has been granted", () => {
    expect(readme).toContain("No licence has been granted");
    expect(existsSync("LICENSE")).toBe(false);
  });
});

describe("README.md and CONTRIBUTING.md", () => {
  const pages = ["README.md", "CONTRIBUTING.md"];
  it.each(pages)("%s links to files that exist", (page) => {
    const links = [...readFileSync(page, "utf8").matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = ""]) => path);
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((path) => !existsSync(path))).toEqual([]);
  });

  it("names every npm script in CONTRIBUTING.md, and only existing ones anywhere", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
    const texts = [...pages, "docs/going-live.md", "docs/configuration.md"].map((page) => readFileSync(page, "utf8"));
    for (const text of texts) {
      for (const [, name = ""] of text.matchAll(/npm run ([a-z:]+)/g)) expect(Object.keys(scripts)).toContain(name);
    }
    for (const name of Object.keys(scripts)) expect(contributing).toMatch(new RegExp(`npm (run )?${name}\\b`));
  });
});

describe("docs/going-live.md", () => {
  it("starts the server as `npm start` does, without npm", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
    expect(readFileSync("docs/going-live.md", "utf8")).toContain(`ExecStart=/usr/bin/${scripts.start}\n`);
  });
});

describe("docs/screens.md", () => {
  const screensPage = readFileSync("docs/screens.md", "utf8");

  it("names modules that exist, and every screen of the route table", async () => {
    const named = [...screensPage.matchAll(/`((?:routes|components)\/[^`]+)`/g)].map(([, path = ""]) => path);
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
});

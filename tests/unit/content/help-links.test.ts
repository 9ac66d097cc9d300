import "../../support/site";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listHelpTopics } from "~/content/help.server";
import { plainNumberStyle } from "~/lib/number-style";

/** The help centre itself lists all of its answers. */
const helpCentre = /^(?:help|documents\/(?:help|answer))\//;

const sources = ["app/components", "app/routes"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !helpCentre.test(file))
    .map((file) => readFileSync(join(folder, file), "utf8")),
);
const answers = listHelpTopics(plainNumberStyle).flatMap((topic) => topic.answers);

describe("the answers of the help centre", () => {
  it.each(answers.map(({ id }) => id))("include %s, which a screen links to where the question arises", (id) => {
    expect(
      sources.some((source) => source.includes(`answer("${id}")`) || source.includes(`id: "${id}", question:`)),
    ).toBe(true);
  });

  it("have the titles that the links to them show", () => {
    const links = sources.flatMap((source) => [...source.matchAll(/id: "([\w-]+)", question: "([^"]+)"/g)]);
    expect(links.length).toBeGreaterThan(10);
    const titles = new Map<string, string>(answers.map(({ id, question }) => [id, question]));
    for (const [, id = "", question] of links) expect(question).toBe(titles.get(id));
  });
});

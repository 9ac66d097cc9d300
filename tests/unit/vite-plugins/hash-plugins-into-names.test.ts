import { build, type Plugin } from "vite";
import { expect, it } from "vitest";
import { hashPluginsIntoNames } from "~/vite-plugins/hash-plugins-into-names";

const entry: Plugin = {
  name: "entry",
  resolveId: (id) => (id === "entry.js" ? id : null),
  load: (id) => (id === "entry.js" ? "console.log(1);" : null),
};

/** The file names of a build of the same code. */
async function buildWith(rules?: string): Promise<string[]> {
  const result = await build({
    configFile: false,
    logLevel: "silent",
    plugins: [entry, hashPluginsIntoNames(rules)],
    build: { write: false, rolldownOptions: { input: "entry.js" } },
  });
  return [result].flat().flatMap((built) => ("output" in built ? built.output.map(({ fileName }) => fileName) : []));
}

it("names files also by the rules of plugins that change them afterwards", async () => {
  const [current, again, other] = await Promise.all([buildWith(), buildWith(), buildWith("other rules")]);
  expect(current).toHaveLength(1);
  expect(again).toEqual(current);
  expect(other).not.toEqual(current);
});

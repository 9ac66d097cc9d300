import { build, type Plugin } from "vite";
import { expect, it } from "vitest";
import { minifySharedChunks } from "~/vite-plugins/minify-shared-chunks";

const shared = ["framework", "shell", "sign-in", "direction-screen"];
const load: Plugin = {
  name: "load",
  resolveId: (id) => (id.endsWith(".js") ? id : null),
  load: (id) => (id.endsWith(".js") ? "export const f = (x) => { x.nodeType; return x; }; console.log(f);" : null),
};

/** Builds chunks with these names, and returns the code of each. */
async function buildChunks(names: readonly string[]): Promise<Record<string, string>> {
  const result = await build({
    configFile: false,
    logLevel: "silent",
    plugins: [load, minifySharedChunks()],
    build: {
      write: false,
      minify: false,
      rolldownOptions: { input: Object.fromEntries(names.map((name) => [name, `${name}.js`])) },
    },
  });
  const outputs = [result].flat().flatMap((built) => ("output" in built ? built.output : []));
  return Object.fromEntries(outputs.flatMap((output) => (output.type === "chunk" ? [[output.name, output.code]] : [])));
}

it("minifies the chunks that most pages load, and no others", async () => {
  const code = await buildChunks([...shared, "other"]);
  for (const name of shared) expect(code[name], name).not.toMatch(/nodeType|\n./);
  expect(code.other).toContain("x.nodeType");
});

it("fails the build if one of them has another name", async () => {
  await expect(buildChunks(shared.slice(1))).rejects.toThrow("There is no chunk framework to minify.");
});

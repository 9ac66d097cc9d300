import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, type Plugin } from "vite";
import { expect, it } from "vitest";
import { markComplete } from "~/vite-plugins/mark-complete";

const root = mkdtempSync(join(tmpdir(), "antelope-build-"));
writeFileSync(join(root, "entry.js"), "export const one = 1;");
const complete = join(root, "build/complete");
const run = (outDir: "build/client" | "build/server", plugin: Plugin) =>
  build({
    root,
    configFile: false,
    logLevel: "silent",
    plugins: [plugin, markComplete()],
    build: {
      outDir,
      ssr: outDir === "build/server" && "entry.js",
      rolldownOptions: { input: join(root, "entry.js") },
    },
  });
const failing = (hook: "generateBundle" | "closeBundle"): Plugin => ({
  name: "failing",
  [hook]: () => Promise.reject(new Error("planned")),
});

it("a build is marked as complete at its end, and not while one runs or after one that failed", async () => {
  const seen: boolean[] = [];
  const looking: Plugin = {
    name: "looking",
    generateBundle: () => void seen.push(existsSync(complete)),
    closeBundle: () => void seen.push(existsSync(complete)),
  };
  await run("build/server", looking);
  expect(existsSync(complete)).toBe(true);
  await run("build/client", looking);
  expect(existsSync(complete)).toBe(false);
  await run("build/server", looking);
  expect(existsSync(complete)).toBe(true);
  expect(seen).toEqual(seen.map(() => false));
  for (const hook of ["generateBundle", "closeBundle"] as const) {
    await expect(run("build/server", failing(hook))).rejects.toThrow("planned");
    expect(existsSync(complete)).toBe(false);
  }
});

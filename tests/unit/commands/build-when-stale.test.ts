import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { fingerprintSources } from "~/commands/build-when-stale.js";
import remixConfig from "../../../remix.config.js";
import { createTemporaryDirectory } from "../../support/temporary-directory";

const script = "app/commands/build-when-stale.js";
const scripts = [script, "app/exchange.server/db/lock-file.js"];

/**
 * Stands in for Remix's command: takes half a second, changes a source if there is a file `edited`, and fails if there is
 * a file `broken`.
 */
const cli = `
  const { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } = require("node:fs");
  appendFileSync("builds", "+");
  rmSync("build", { recursive: true, force: true });
  mkdirSync("build/server", { recursive: true });
  writeFileSync("build/server/server.js", "");
  if (existsSync("broken")) throw new Error("planned");
  import("../../../../${script}").then(({ fingerprintSources }) => {
    const fingerprint = fingerprintSources();
    if (existsSync("edited")) writeFileSync("app/page.js", "edited");
    setTimeout(() => writeFileSync("build/complete", fingerprint), 500);
  });
`;

describe("npm start", () => {
  let root: string;
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  let output: string;
  let errors: string;
  const start = async () => {
    const code = `import("./${script}").then(({ buildWhenStale }) => buildWhenStale())`;
    const child = spawn(process.execPath, ["-e", code], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    const [status] = (await once(child, "close")) as [number];
    return status;
  };
  const countBuilds = () => readFileSync(join(root, "builds"), "utf8").length;

  beforeEach(() => {
    root = createTemporaryDirectory();
    output = "";
    errors = "";
    for (const name of scripts) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      copyFileSync(name, join(root, name));
    }
    write("package.json", '{"type":"module"}');
    write("app/page.js", "1");
    write("public/robots.txt", "");
    write("node_modules/@remix-run/dev/package.json", "{}");
    write("node_modules/@remix-run/dev/dist/cli.js", cli);
  });

  it("builds once, and again after a source has changed or a build was interrupted", async () => {
    expect([await start(), await start(), countBuilds()]).toEqual([0, 0, 1]);
    write("app/page.js", "2");
    expect([await start(), countBuilds()]).toEqual([0, 2]);
    rmSync(join(root, "build/complete"));
    expect([await start(), countBuilds()]).toEqual([0, 3]);
  });

  it("builds again after a source was replaced by an older file, removed, or changed during the build", async () => {
    await start();
    write("app/page.js", "0");
    utimesSync(join(root, "app/page.js"), new Date(0), new Date(0));
    expect([await start(), countBuilds()]).toEqual([0, 2]);
    rmSync(join(root, "app/page.js"));
    write("edited", "");
    expect([await start(), await start(), await start(), countBuilds()]).toEqual([0, 0, 0, 4]);
  });

  it("builds once if two processes start at the same time", async () => {
    expect(await Promise.all([start(), start()])).toEqual([0, 0]);
    expect(countBuilds()).toBe(1);
    expect(errors).toMatch(/^Building Antelope .*\n/m);
    expect(output, "the log").toBe("");
  });

  it("fails if the build fails, and builds again at the next start, even if the build was killed", async () => {
    write("broken", "");
    expect([await start(), await start(), countBuilds()]).toEqual([1, 1, 2]);
    rmSync(join(root, "broken"));
    write(".cache/build.lock", JSON.stringify({ pid: process.pid, startedAt: "1" }));
    expect([await start(), countBuilds()]).toEqual([0, 3]);
  });

  it("says in one line what to do if it cannot write to its directory", async () => {
    // Stands in for a directory of another user, whose permissions do not apply to root.
    write(".cache", "");
    expect([await start(), errors]).toEqual([
      1,
      `These sources are not built, and this user cannot write to ${root}/ (EEXIST): run \`npm run build\` there as its owner.\n`,
    ]);
  });

  it("says in one line how to install what the build needs", async () => {
    rmSync(join(root, "node_modules"), { recursive: true });
    expect([await start(), errors]).toEqual([
      1,
      "The build needs packages that are not installed: run `npm ci --include=dev`.\n",
    ]);
  });
});

it("a build stores the fingerprint of its sources when it ends", () => {
  const buildDirectory = createTemporaryDirectory();
  void remixConfig.buildEnd?.({ remixConfig: { buildDirectory } } as Parameters<typeof remixConfig.buildEnd>[0]);
  expect(readFileSync(join(buildDirectory, "complete"), "utf8")).toBe(fingerprintSources());
});

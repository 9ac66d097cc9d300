import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryDirectory } from "../../support/temporary-directory";

const script = "app/commands/load-env.js";

/** Runs the script in a directory with this .env and prints what NAME is then. */
function load(prepare: (file: string) => void) {
  const root = createTemporaryDirectory();
  mkdirSync(join(root, "app/commands"), { recursive: true });
  copyFileSync(script, join(root, script));
  writeFileSync(join(root, "package.json"), '{"type":"module"}');
  prepare(join(root, ".env"));
  const args = ["--import", `./${script}`, "-p", "process.env.NAME"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  return { status, stdout: stdout.trim(), stderr };
}

describe(".env", () => {
  it("is loaded, and may be missing", () => {
    expect(load((file) => writeFileSync(file, "NAME=value"))).toMatchObject({ status: 0, stdout: "value" });
    expect(load(() => undefined)).toMatchObject({ status: 0, stdout: "undefined", stderr: "" });
  });

  it("ends the command with one sentence if it cannot be read", () => {
    const { status, stderr } = load((file) => mkdirSync(file));
    expect(status).toBe(1);
    expect(stderr).toMatch(/^\S+\.env cannot be read \(E\w+\): make it readable, or remove it\.\n$/);
  });
});

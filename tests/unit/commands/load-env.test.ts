import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryDirectory } from "../../support/temporary-directory";

const script = "app/commands/load-env.js";

type Options = { command?: string; variables?: Record<string, string> };

/** Switches the process to the user `nobody`, because root may read every file. */
const leaveRoot = "data:text/javascript,if(process.getuid()===0){process.setgid(65534);process.setuid(65534)}";

/** Runs a command in a directory with this .env. It prints what NAME is then. */
function load(prepare: (file: string) => void, { command = "command.js", variables = {} }: Options = {}) {
  const root = createTemporaryDirectory();
  chmodSync(root, 0o755);
  mkdirSync(join(root, "app/commands"), { recursive: true });
  copyFileSync(script, join(root, script));
  writeFileSync(join(root, "package.json"), '{"type":"module"}');
  writeFileSync(join(root, command), "console.log(process.env.NAME);");
  prepare(join(root, ".env"));
  const args = ["--import", leaveRoot, "--import", `./${script}`, command];
  const env: NodeJS.ProcessEnv = { NODE_ENV: "test", ...variables };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, env, encoding: "utf8" });
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

  it("may be unreadable only for an operator whose environment names the database", () => {
    const close = (file: string) => writeFileSync(file, "NAME=value", { mode: 0o000 });
    const command = "operate.js";
    const variables = { DATABASE_URL: "postgres://a.example/antelope", NAME: "own" };
    expect(load(close, { command, variables })).toEqual({ status: 0, stdout: "own", stderr: "" });
    for (const refused of [load(close, { command }), load(close, { variables })]) {
      expect(refused).toMatchObject({ status: 1, stdout: "" });
      expect(refused.stderr).toContain(".env cannot be read (EACCES)");
    }
  });
});

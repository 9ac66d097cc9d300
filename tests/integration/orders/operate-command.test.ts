import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPostgres } from "~/exchange.server/db/open";
import { getOffReason } from "~/exchange.server/switches/switches";
import { type Bundle, bundle } from "../../support/bundle";
import { createTestPostgres } from "../../support/postgres";
import { freePort } from "../../support/raw-http";
import { createTemporaryDirectory } from "../../support/temporary-directory";

describe("npm run operate", () => {
  let command: Bundle;
  beforeAll(async () => {
    command = await bundle("app/commands/operate.ts");
  });
  afterAll(() => command?.remove());

  /** Runs the command in one file, which starts much faster than its sources. */
  const operate = (environment: Record<string, string>, ...args: string[]) =>
    new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      const env: NodeJS.ProcessEnv = {
        NODE_ENV: "test",
        PATH: process.env.PATH,
        DATA_DIR: createTemporaryDirectory(),
        ...environment,
      };
      execFile(process.execPath, [command.path, ...args], { env }, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, stdout, stderr }),
      );
    });

  it("prints only JSON to programs, when run as the documentation says", async () => {
    const command = "npm run --silent operate -- ";
    expect(readFileSync("docs/operating.md", "utf8")).toContain(command);
    const [npm = "", ...args] = `${command}help --json`.split(" ");
    const stdout = await new Promise<string>((resolve) => execFile(npm, args, (_, text) => resolve(text)));
    expect(JSON.parse(stdout)).toMatchObject({ error: "Wrong arguments." });
  });

  it("carries out a command and ends", async () => {
    const DATABASE_URL = await createTestPostgres();
    const ended = await operate({ DATABASE_URL, LOG_LEVEL: "silent" }, "off", "payments", "A", "check.");
    expect(ended).toEqual({ code: 0, stdout: "Done.\n", stderr: "" });
    const { db, close } = await openPostgres(DATABASE_URL);
    expect(await getOffReason(db, "payments")).toBe("A check.");
    await close();
  });

  it("carries out a command even if the reader of its log has ended", async () => {
    const DATABASE_URL = await createTestPostgres();
    const env: NodeJS.ProcessEnv = { NODE_ENV: "test", DATA_DIR: createTemporaryDirectory(), DATABASE_URL };
    const child = spawn(process.execPath, [command.path, "off", "payments", "A", "check."], { env });
    child.stderr.destroy();
    let stdout = "";
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    const [code] = (await once(child, "close")) as [number];
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Done.\n" });
  });

  it("fails with one sentence without DATABASE_URL", async () => {
    expect(await operate({}, "status")).toEqual({
      code: 1,
      stdout: "",
      stderr: "The operator needs the exchange's PostgreSQL: set DATABASE_URL.\n",
    });
  });

  it("fails with one sentence, without the password, if the database does not respond", async () => {
    const port = await freePort();
    expect(await operate({ DATABASE_URL: `postgres://antelope:secret@127.0.0.1:${port}/antelope` }, "status")).toEqual({
      code: 1,
      stdout: "",
      stderr: `PostgreSQL at postgres://127.0.0.1:${port}/… does not accept connections: check DATABASE_URL.\n`,
    });
  });

  it("names each variable of an invalid configuration", async () => {
    const { code, stdout, stderr } = await operate({ FEE_BPS: "many" }, "status");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^The configuration is invalid:\n {2}- FEE_BPS: [^\n]+\n$/);
  });
});

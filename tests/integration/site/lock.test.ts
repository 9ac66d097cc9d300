import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DirectoryLockedError, lockDirectory } from "../../../app/exchange.server/db/lock";

const fresh = () => mkdtempSync(join(tmpdir(), "antelope-lock-"));

describe("T62 the lock of the embedded database's directory", () => {
  it("refuses a second holder with a sentence that says what to do, and is free after release", () => {
    const dir = fresh();
    const lock = lockDirectory(dir);
    expect(() => lockDirectory(dir)).toThrow(DirectoryLockedError);
    expect(() => lockDirectory(dir)).toThrow(new RegExp(`process ${process.pid}.*another DATA_DIR`));
    lock.release();
    lockDirectory(dir).release();
  });

  it("takes over the lock of a process that was killed", async () => {
    const dir = fresh();
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    writeFileSync(join(dir, "lock.json"), JSON.stringify({ pid: child.pid, startedAt: null }));
    expect(() => lockDirectory(dir)).toThrow(DirectoryLockedError);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
    lockDirectory(dir).release();
  });

  it("takes over the lock of a process whose pid now belongs to another (a container started again)", () => {
    const dir = fresh();
    writeFileSync(join(dir, "lock.json"), JSON.stringify({ pid: process.pid, startedAt: "1" }));
    const lock = lockDirectory(dir);
    expect(JSON.parse(readFileSync(join(dir, "lock.json"), "utf8"))).toMatchObject({ pid: process.pid });
    lock.release();
  });

  it("takes over what a crash left half written", () => {
    const dir = fresh();
    writeFileSync(join(dir, "lock.json"), "");
    lockDirectory(dir).release();
  });
});

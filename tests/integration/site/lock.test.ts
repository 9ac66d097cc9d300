import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DirectoryLockedError, lockDirectory } from "~/exchange.server/db/lock-directory";
import { createTemporaryDirectory } from "../../support/temporary-directory";

describe("T62 the lock on a sandbox's directory", () => {
  it("refuses a second process with a message that says what to do, and is free after release", () => {
    const dir = createTemporaryDirectory();
    const lock = lockDirectory(dir);
    expect(() => lockDirectory(dir)).toThrow(DirectoryLockedError);
    expect(() => lockDirectory(dir)).toThrow(new RegExp(`process ${process.pid}.*another DATA_DIR`));
    lock.release();
    lockDirectory(dir).release();
  });

  it("takes over the lock of a killed process", async () => {
    const dir = createTemporaryDirectory();
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    writeFileSync(join(dir, "lock.json"), JSON.stringify({ pid: child.pid, startedAt: null }));
    expect(() => lockDirectory(dir)).toThrow(DirectoryLockedError);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
    lockDirectory(dir).release();
  });

  it("takes over the lock if its pid now belongs to another process (in a restarted container)", () => {
    const dir = createTemporaryDirectory();
    writeFileSync(join(dir, "lock.json"), JSON.stringify({ pid: process.pid, startedAt: "1" }));
    const lock = lockDirectory(dir);
    expect(JSON.parse(readFileSync(join(dir, "lock.json"), "utf8"))).toMatchObject({ pid: process.pid });
    lock.release();
  });

  it("takes over a lock file that a crash left incomplete", () => {
    const dir = createTemporaryDirectory();
    writeFileSync(join(dir, "lock.json"), "");
    lockDirectory(dir).release();
  });
});

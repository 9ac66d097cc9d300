import { spawn } from "node:child_process";
import { once } from "node:events";
import fs, { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createLineWriter } from "~/config/line-writer";
import { createTemporaryDirectory } from "../../support/temporary-directory";

const diskFull = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });

afterEach(() => vi.restoreAllMocks());

/** A writer to an empty file, and what the file contains. */
function openWriter() {
  const file = join(createTemporaryDirectory(), "log");
  const lost: number[] = [];
  const writer = createLineWriter(openSync(file, "a"), (lines) => lost.push(lines));
  return { writer, lost, read: () => readFileSync(file, "utf8") };
}

/** Lets all writes fail. @returns how many have failed, and a function that ends this */
function fillDisk() {
  const failing = vi.spyOn(fs, "writeSync").mockImplementation(() => {
    throw diskFull;
  });
  return { count: () => failing.mock.calls.length, end: () => failing.mockRestore() };
}

describe("the writer of the log's lines", () => {
  it("writes all lines at once, in order", () => {
    const { writer, read } = openWriter();
    const lines = Array.from({ length: 1_000 }, (_, i) => `line ${i}: ä\n`);
    for (const line of lines) writer.write(line);
    expect(read()).toBe(lines.join(""));
  });

  it("keeps lines while the disk is full", async () => {
    const { writer, lost, read } = openWriter();
    const disk = fillDisk();
    writer.write("first\n");
    await expect.poll(disk.count).toBeGreaterThan(1);
    writer.write("second\n");
    writer.flushSync();
    disk.end();
    await expect.poll(read).toBe("first\nsecond\n");
    expect(lost).toEqual([]);
  });

  it("loses lines if the disk is full for long, and says how many", async () => {
    const { writer, lost, read } = openWriter();
    const disk = fillDisk();
    const line = `${"a".repeat(1024 * 1024 - 1)}\n`;
    for (let i = 0; i < 4; i += 1) writer.write(line);
    await expect.poll(disk.count).toBeGreaterThan(1);
    for (let i = 0; i < 3; i += 1) writer.write(line);
    writer.write("short\n");
    disk.end();
    await expect.poll(() => lost).toEqual([4]);
    expect(read()).toBe(line.repeat(4));
  });
});

it("a process whose log cannot be written continues, and can exit", async () => {
  const file = join(createTemporaryDirectory(), "log");
  writeFileSync(file, "");
  const readOnly = openSync(file, "r");
  const code = `
    const { createLog } = await import("./app/config/log.server.ts");
    const log = createLog("info");
    log.info("one");
    log.info("two");
    log.fatal("an alert");
    setTimeout(() => {
      process.stderr.write("running");
      log.info("three");
      log.info("four");
      process.exit(3);
    }, 100);`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", code], {
    stdio: ["ignore", readOnly, "pipe"],
    timeout: 30_000,
    killSignal: "SIGKILL",
  });
  closeSync(readOnly);
  let errors = "";
  child.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const [status] = (await once(child, "close")) as [number];
  expect({ status, errors }).toEqual({ status: 3, errors: "running" });
});

it("a process that exits writes all its lines first, even if the reader of its log is slow", async () => {
  const count = 5_000;
  const code = `
    const { createLog } = await import("./app/config/log.server.ts");
    // Like getLog, this makes a pipe return an error while it is full.
    process.stdout.isTTY;
    const log = createLog("info");
    for (let i = 0; i < ${count}; i += 1) log.info({ i }, "a line of the log");
    log.fatal("the last line");
    process.stderr.write("ending");
    process.exit(3);`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", code], {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 30_000,
    killSignal: "SIGKILL",
  });
  let output = "";
  child.stderr.once("data", () => child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString())));
  const [status] = (await once(child, "close")) as [number];
  const lines = output.trimEnd().split("\n");
  expect({ status, lines: lines.length }).toEqual({ status: 3, lines: count + 1 });
  expect(lines.at(-1)).toContain("the last line");
});

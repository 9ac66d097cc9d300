import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { lockFile, unlockFile } from "~/exchange.server/db/lock-file.js";
import { createTemporaryDirectory } from "../../support/temporary-directory";

/** Locks a file, but stops between creating the first file and writing to it until it gets a byte on standard input. */
const interrupted = `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  const { writeFileSync } = fs;
  fs.writeFileSync = (file, text, options) => {
    const descriptor = fs.openSync(file, options.flag ?? "w");
    fs.writeSync(1, "created\\n");
    fs.readSync(0, Buffer.alloc(1));
    writeFileSync(descriptor, text);
  };
  syncBuiltinESMExports();
  const { lockFile } = await import(${JSON.stringify(resolve("app/exchange.server/db/lock-file.js"))});
  fs.writeSync(1, String(lockFile(process.argv[1])));
`;

it("gives the lock to only one process if another one has created its file but not written to it yet", async () => {
  const file = join(createTemporaryDirectory(), "lock");
  const other = spawn(process.execPath, ["--input-type=module", "-e", interrupted, file], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  let output = "";
  other.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await once(other.stdout, "data");
  expect(lockFile(file)).toBeNull();
  other.stdin.end("\n");
  await once(other, "close");
  expect(output).toBe(`created\n${process.pid}`);
  unlockFile(file);
});

/** Runs the build if it is missing, incomplete or older than its sources. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { lockFile, unlockFile } from "../exchange.server/db/lock-file.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const sources = [
  "app",
  "public",
  "server.ts",
  "vite.config.ts",
  "remix.config.js",
  "tsconfig.json",
  "package.json",
  "package-lock.json",
];

/** The built server.ts. */
export const builtServer = join(root, "build/server/server.js");

/** Written at the end of a build (remix.config.js). */
const completeFile = join(root, "build/complete");
/** Held by the process that is building. Not in build/, which a build deletes first. */
const buildLock = join(root, ".cache/build.lock");

/** Builds if necessary and waits. If the build fails, prints its output and exits. */
export function buildWhenStale() {
  if (isFresh()) return;
  lock();
  // Another process may have finished a build in the meantime.
  const status = isFresh() ? 0 : build();
  unlockFile(buildLock);
  if (status !== 0) process.exit(status);
}

function isFresh() {
  return newest([completeFile]) >= newest(sources.map((source) => join(root, source)));
}

/** @returns {number} the exit code */
function build() {
  process.stdout.write("Building Antelope (needed after a change, takes about 15 seconds)…\n");
  const { status, signal, error, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, "node_modules/@remix-run/dev/dist/cli.js"), "vite:build"],
    {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      maxBuffer: 64 * 2 ** 20,
      env: { ...process.env, NODE_ENV: "production" },
    },
  );
  if (status !== 0) process.stderr.write(`${stdout ?? ""}${stderr ?? ""}${error?.message ?? signal ?? ""}\n`);
  return status ?? 1;
}

/** Waits until no other process builds: two builds at once would delete each other's files. */
function lock() {
  mkdirSync(dirname(buildLock), { recursive: true });
  for (let attempt = 0; ; attempt++) {
    const holder = lockFile(buildLock);
    if (holder === null) return;
    if (attempt === 0) process.stdout.write(`Waiting for the build of process ${holder} (${buildLock})…\n`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
}

/**
 * When the newest of these files and folders was changed, in ms; 0 if there are none.
 * @param {string[]} paths
 * @returns {number}
 */
function newest(paths) {
  return Math.max(
    0,
    ...paths.map((path) => {
      const stat = statSync(path, { throwIfNoEntry: false });
      if (!stat) return 0;
      if (!stat.isDirectory()) return stat.mtimeMs;
      return Math.max(stat.mtimeMs, newest(readdirSync(path).map((name) => join(path, name))));
    }),
  );
}

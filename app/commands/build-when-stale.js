/** Builds if there is no complete build of the current sources. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { lockFile, unlockFile } from "../exchange.server/db/lock-file.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folders = ["app", "public"];
const files = ["server.ts", "vite.config.ts", "remix.config.js", "tsconfig.json", "package.json", "package-lock.json"];

/** The built server.ts. */
export const builtServer = join(root, "build/server/server.js");

/** Written at the end of a build (remix.config.js), with the fingerprint of its sources. */
const completeFile = join(root, "build/complete");
const remix = join(root, "node_modules/@remix-run/dev/dist/cli.js");

/** Held by the process that is building. Not in build/, which a build deletes first. */
const buildLock = join(root, ".cache/build.lock");

/**
 * Builds if necessary and waits. If the build fails, prints its output and exits. Prints to standard error, because
 * a live site's log is on standard output.
 */
export function buildWhenStale() {
  if (isFresh()) return;
  try {
    lock();
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    process.stderr.write(
      `These sources are not built, and this user cannot write to ${root} (${code}): run \`npm run build\` there as its owner.\n`,
    );
    process.exit(1);
  }
  // Another process may have finished a build in the meantime.
  const status = isFresh() ? 0 : build();
  unlockFile(buildLock);
  if (status !== 0) process.exit(status);
}

function isFresh() {
  return read(completeFile).toString() === fingerprintSources();
}

/**
 * A hash of the names and contents of all sources. Modification times are unreliable: archives, copies and container
 * images keep old ones, or change them.
 */
export function fingerprintSources() {
  const hash = createHash("sha256");
  for (const file of [...folders.flatMap(listFiles), ...files].sort()) {
    const content = read(join(root, file));
    hash.update(`${file}\n${content.length}\n`).update(content);
  }
  return hash.digest("base64url");
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function listFiles(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? listFiles(path) : [path];
  });
}

/**
 * Empty if the file does not exist: editors leave dangling symbolic links beside the sources.
 * @param {string} path
 */
function read(path) {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}

/** @returns {number} the exit code */
function build() {
  if (!existsSync(remix)) {
    process.stderr.write("The build needs packages that are not installed: run `npm ci --include=dev`.\n");
    return 1;
  }
  process.stderr.write("Building Antelope (needed after a change, takes about 15 seconds)…\n");
  const { status, signal, error, stdout, stderr } = spawnSync(process.execPath, [remix, "vite:build"], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 64 * 2 ** 20,
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (status !== 0) process.stderr.write(`${stdout ?? ""}${stderr ?? ""}${error?.message ?? signal ?? ""}\n`);
  return status ?? 1;
}

/** Waits until no other process is building: two builds at once would delete each other's files. */
function lock() {
  mkdirSync(dirname(buildLock), { recursive: true });
  for (let attempt = 0; ; attempt++) {
    const holder = lockFile(buildLock);
    if (holder === null) return;
    if (attempt === 0) process.stderr.write(`Waiting for the build of process ${holder} (${buildLock})…\n`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
}

/** Runs the build if it is missing or older than its sources. */
import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

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

/** Builds if necessary and waits. If the build fails, prints its output and exits. */
export function buildWhenStale() {
  if (newest([builtServer]) >= newest(sources.map((source) => join(root, source)))) return;
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
  if (status === 0) return;
  process.stderr.write(`${stdout ?? ""}${stderr ?? ""}${error?.message ?? signal ?? ""}\n`);
  process.exit(status ?? 1);
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

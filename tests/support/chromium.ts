import { execFile } from "node:child_process";
import { access } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Flags to run headless as root, without background network requests. */
export const chromiumFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // A test picture instead of a camera, for pages that are allowed to use one.
  "--use-fake-device-for-media-stream",
];

/**
 * The path of a Chromium: CHROME_PATH, Debian's package (installed if possible),
 * Playwright's own download, or the one from npm.
 */
export async function getChromium(): Promise<string> {
  const found = process.env.CHROME_PATH ?? (await firstThatExists(["/usr/bin/chromium", "/usr/bin/chromium-browser"]));
  if (found) return found;
  return (await fromDebian()) ?? (await fromPlaywright()) ?? fromNpm();
}

async function firstThatExists(paths: string[]): Promise<string | undefined> {
  for (const path of paths) {
    if (await exists(path)) return path;
  }
  return undefined;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function fromDebian(): Promise<string | undefined> {
  if (process.getuid?.() !== 0 || !(await exists("/usr/bin/apt-get"))) return undefined;
  try {
    const options = { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }, timeout: 300_000 };
    await run("apt-get", ["update", "-qq"], options);
    await run("apt-get", ["install", "-y", "-qq", "chromium"], options);
  } catch {
    return undefined;
  }
  return firstThatExists(["/usr/bin/chromium"]);
}

async function fromPlaywright(): Promise<string | undefined> {
  try {
    const { chromium } = await import("@playwright/test");
    if (await exists(chromium.executablePath())) return chromium.executablePath();
    await run("npx", ["playwright", "install", "chromium"], { timeout: 300_000 });
    return (await exists(chromium.executablePath())) ? chromium.executablePath() : undefined;
  } catch {
    return undefined;
  }
}

async function fromNpm(): Promise<string> {
  const { default: chromium } = await import("@sparticuz/chromium");
  return chromium.executablePath();
}

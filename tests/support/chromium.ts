import { execFile } from "node:child_process";
import { access } from "node:fs/promises";
import { join } from "node:path";
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
  return (await fromDebian("chromium")) ?? (await fromPlaywright()) ?? fromNpm();
}

/**
 * The path of Chromium's headless shell: the same engine without windows, profiles and push messages, which
 * needs half the processor time. CHROME_SHELL_PATH, CHROME_PATH, Debian's package (installed if possible),
 * the one beside Playwright's Chromium, or any Chromium.
 */
export async function getHeadlessShell(): Promise<string> {
  const { CHROME_SHELL_PATH, CHROME_PATH } = process.env;
  const found = CHROME_SHELL_PATH ?? CHROME_PATH ?? (await firstThatExists(["/usr/bin/chromium-headless-shell"]));
  if (found) return found;
  const installed = await fromDebian("chromium-headless-shell");
  if (installed) return installed;
  const chromium = await getChromium();
  return (await firstThatExists(toShellPaths(chromium))) ?? chromium;
}

/** Where Playwright puts the shell that belongs to its Chromium. */
function toShellPaths(chromium: string): string[] {
  const [, folder, version] = /^(.*)[\\/]chromium-([0-9]+)[\\/]/.exec(chromium) ?? [];
  if (folder === undefined) return [];
  return ["linux64", "linux", "mac-arm64", "mac-x64", "win64"].map((platform) => {
    const name = platform.startsWith("win") ? "chrome-headless-shell.exe" : "chrome-headless-shell";
    return join(folder, `chromium_headless_shell-${version}`, `chrome-headless-shell-${platform}`, name);
  });
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

async function fromDebian(name: "chromium" | "chromium-headless-shell"): Promise<string | undefined> {
  if (process.getuid?.() !== 0 || !(await exists("/usr/bin/apt-get"))) return undefined;
  try {
    const options = { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }, timeout: 300_000 };
    await run("apt-get", ["update", "-qq"], options);
    await run("apt-get", ["install", "-y", "-qq", name], options);
  } catch {
    return undefined;
  }
  return firstThatExists([`/usr/bin/${name}`]);
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

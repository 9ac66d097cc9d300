import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const platforms: Partial<Record<NodeJS.Platform, string>> = { linux: "linux", darwin: "darwin", win32: "win32" };
const architectures: Partial<Record<NodeJS.Architecture, string>> = { x64: "amd64", arm64: "arm64" };

/**
 * The real anvil of `@foundry-rs/anvil-<platform>`, or the file that the operator names
 * (ANVIL_PATH). The package's own `bin.mjs` is a wrapper: its pid would not be anvil's.
 * Throws one sentence where there is none.
 */
export function findAnvil(givenPath: string | null): string {
  if (givenPath !== null) {
    if (existsSync(givenPath)) return givenPath;
    throw new Error(`The sandbox's Ethereum chain cannot start: there is no file ${givenPath} (ANVIL_PATH).`);
  }
  const name = `@foundry-rs/anvil-${platforms[process.platform]}-${architectures[process.arch]}`;
  try {
    const require = createRequire(import.meta.url);
    // Its sibling: npm may nest the platform's package below the wrapper's.
    const wrapper = createRequire(require.resolve("@foundry-rs/anvil/package.json"));
    const folder = dirname(wrapper.resolve(`${name}/package.json`));
    return join(folder, "bin", process.platform === "win32" ? "anvil.exe" : "anvil");
  } catch (cause) {
    const platform = `${process.platform} on ${process.arch}`;
    throw new Error(
      `The sandbox's Ethereum chain cannot start: npm brought no anvil for ${platform}; install Foundry and set ANVIL_PATH.`,
      { cause },
    );
  }
}

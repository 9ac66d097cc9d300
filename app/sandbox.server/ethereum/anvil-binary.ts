import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { StartupError } from "../../lib/startup-error";

const platforms: Partial<Record<NodeJS.Platform, string>> = { linux: "linux", darwin: "darwin", win32: "win32" };
const architectures: Partial<Record<NodeJS.Architecture, string>> = { x64: "amd64", arm64: "arm64" };

/**
 * Returns the path of the anvil binary: ANVIL_PATH if it is set, or the one in
 * `@foundry-rs/anvil-<platform>`. The package's own `bin.mjs` is a wrapper whose pid is not anvil's.
 * @throws StartupError if there is no binary
 */
export function findAnvil(configuredPath: string | null): string {
  if (configuredPath !== null) {
    if (existsSync(configuredPath)) return configuredPath;
    throw new StartupError(
      `The sandbox's Ethereum chain cannot start: ANVIL_PATH names a file that does not exist: ${configuredPath}.`,
    );
  }
  const name = `@foundry-rs/anvil-${platforms[process.platform]}-${architectures[process.arch]}`;
  try {
    const require = createRequire(import.meta.url);
    // Resolved from the wrapper, because npm may nest the platform's package below it.
    const wrapper = createRequire(require.resolve("@foundry-rs/anvil/package.json"));
    const folder = dirname(wrapper.resolve(`${name}/package.json`));
    return join(folder, "bin", process.platform === "win32" ? "anvil.exe" : "anvil");
  } catch (cause) {
    const platform = `${process.platform} on ${process.arch}`;
    throw new StartupError(
      `The sandbox's Ethereum chain cannot start: npm installed no anvil for ${platform}. Install Foundry and set ANVIL_PATH.`,
      { cause },
    );
  }
}

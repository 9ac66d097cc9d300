import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

type Entry = {
  integrity?: string;
  link?: boolean;
  version?: string;
  license?: string;
  optionalDependencies?: Record<string, string>;
  os?: string[];
  cpu?: string[];
};

/**
 * `npm ci` refuses a lockfile that does not name the binaries of every platform. npm silently
 * leaves out other platforms' packages if it writes the lockfile from a registry or an
 * installed tree that lacks them.
 */
it("the lockfile names the binaries of every platform", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Entry> };
  const isFound = (from: string, name: string): boolean => {
    for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/node_modules/")))) {
      if (packages[`${at === "" ? "" : `${at}/`}node_modules/${name}`]) return true;
      if (at === "") return false;
      if (!at.includes("/node_modules/")) at = "";
      if (at === "" && packages[`node_modules/${name}`]) return true;
      if (at === "") return false;
    }
  };
  const missing = Object.entries(packages).flatMap(([path, entry]) =>
    Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !isFound(path, name))
      .map((name) => `${path || "the project"} → ${name}`),
  );
  expect(missing).toEqual([]);
});

it("T22 every version in package.json is exact", () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as Record<
    string,
    Record<string, string>
  >;
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    expect(`${name} ${version}`).toMatch(/ \d+\.\d+\.\d+(-[\w.]+)?$/);
  }
});

it("T22 every package in the lockfile has a hash, even for other platforms", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Entry> };
  const installed = Object.entries(packages).filter(([path, { link }]) => path !== "" && !link);
  expect(installed.length).toBeGreaterThan(1_000);
  const isHashed = ({ integrity = "" }: Entry) => /^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity);
  expect(installed.flatMap(([path, entry]) => (isHashed(entry) ? [] : [path]))).toEqual([]);
});

it("every package of WalletConnect has a licence that does not require consent", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Entry> };
  const licences = Object.entries(packages).flatMap(([path, { license }]) =>
    /\/@(walletconnect|reown)\/[^/]+$/.test(path) ? [[path, license] as const] : [],
  );
  expect(licences.length).toBeGreaterThan(0);
  for (const [path, license] of licences) expect(["Apache-2.0", "MIT"], path).toContain(license);
});

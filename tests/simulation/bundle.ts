import { resolve } from "node:path";
import { type Bundle, bundle } from "../support/bundle";
import { editDrizzle } from "./faster-drizzle";
import type { Mutant } from "./mutants";
import { type Edit, plant } from "./plant";

/** Builds the worker, with a mutant's fault in it if there is one. Its drizzle is made faster. */
export function buildWorker(mutant: Mutant | null): Promise<Bundle> {
  const edits = [rememberAddresses, ...(mutant?.edits ?? [])];
  return bundle("tests/simulation/worker-process.ts", {
    filter: /\/(app|drizzle-orm)\/.*\.[jt]s$/,
    apply(code, path) {
      const own = edits.filter(({ file }) => path === resolve(file));
      return own.length > 0 ? own.reduce(plant, code) : editDrizzle(code, path);
    },
  });
}

/** The wallet's addresses are the same in every history, and each costs milliseconds to derive. */
const rememberAddresses: Edit = {
  file: "app/sandbox.server/mobilecoin/keys.ts",
  find: "export function createAccountKeys(seed: string): AccountKeys {",
  replace: `const addresses = new Map<string, string>();
export function createAccountKeys(seed: string): AccountKeys {
  const { id, toAddress } = deriveAccountKeys(seed);
  const remember = (index: bigint) => {
    const key = seed + " " + index;
    const address = addresses.get(key) ?? toAddress(index);
    addresses.set(key, address);
    return address;
  };
  return { id, toAddress: remember };
}

function deriveAccountKeys(seed: string): AccountKeys {`,
};

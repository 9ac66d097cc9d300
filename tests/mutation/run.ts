/**
 * `npm run mutate -- FOLDER [FOLDER …] [--static]`: changes the code of a folder in many small ways
 * (Stryker) and runs its tests against each change. Prints the changes that no test noticed, and the
 * score. With `--static`, also changes what is computed when a module is loaded, such as constants: each
 * of these needs a run of all the folder's tests. Not part of `npm test`: a folder takes minutes to hours.
 */
import { spawn } from "node:child_process";
import { mutationFolders } from "./folders";

const names = process.argv.slice(2).filter((name) => !name.startsWith("--"));
const withStatic = process.argv.includes("--static");

function mutate(name: string): Promise<number> {
  const folder = mutationFolders[name];
  if (!folder) {
    process.stderr.write(`Unknown folder ${name}. Known: ${Object.keys(mutationFolders).join(", ")}\n`);
    return Promise.resolve(1);
  }
  return new Promise((resolve, reject) => {
    const child = spawn("npx", ["stryker", "run", "tests/mutation/stryker.config.mjs"], {
      stdio: "inherit",
      env: {
        ...process.env,
        MUTATE_FILES: JSON.stringify(folder.mutate),
        MUTATE_TESTS: JSON.stringify(folder.tests),
        MUTATE_WITHOUT: JSON.stringify(folder.without ?? []),
        MUTATE_REPORT: `.cache/mutation/${name}.json`,
        MUTATE_STATIC: String(withStatic),
      },
    });
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}

if (names.length === 0) process.stdout.write(`npm run mutate -- ${Object.keys(mutationFolders).join(" | ")}\n`);
for (const name of names) process.exitCode = (await mutate(name)) || process.exitCode || 0;

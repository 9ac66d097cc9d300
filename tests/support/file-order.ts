import { readFile } from "node:fs/promises";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Integration files that take long even though they are small. Without a cache of earlier durations, as in CI, Vitest
 * starts large files first, so these would begin when the others are nearly done.
 */
const slowFiles = [
  ...["deposits/late-logs", "kill/kill", "kill/pglite", "kill/points", "orders/killed"],
  ...["simulation/histories", "site/dev-server", "site/fuzz"],
].map((name) => `/tests/integration/${name}.test.ts`);

/**
 * Keeps files with the same environment together: Vitest ends a worker if the next file in the queue needs a different
 * environment from the one the worker has. Starts slow files first.
 */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const ranks = new Map(await Promise.all(sorted.map(async (file) => [file, await rank(file.moduleId)] as const)));
    return sorted.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
  }
}

async function rank(file: string): Promise<number> {
  if (slowFiles.some((name) => file.endsWith(name))) return 0;
  return (await needsDom(file)) ? 1 : 2;
}

/** Whether the file starts with `// @vitest-environment jsdom`. The extension does not show it. */
async function needsDom(file: string): Promise<boolean> {
  return (await readFile(file, "utf8")).startsWith("// @vitest-environment jsdom\n");
}

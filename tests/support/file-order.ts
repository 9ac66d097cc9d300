import { readFile } from "node:fs/promises";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Keeps files with the same environment together. Vitest ends a worker if the next file in the queue needs another
 * environment than the worker has.
 */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const usesDom = await Promise.all(sorted.map(({ moduleId }) => needsDom(moduleId)));
    return [...sorted.filter((_, i) => usesDom[i]), ...sorted.filter((_, i) => !usesDom[i])];
  }
}

/** Whether the file starts with `// @vitest-environment jsdom`. Its extension does not tell. */
async function needsDom(file: string): Promise<boolean> {
  return (await readFile(file, "utf8")).startsWith("// @vitest-environment jsdom\n");
}

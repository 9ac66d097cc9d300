import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A new directory that is deleted at the end of the test. */
export function createTemporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "antelope-test-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

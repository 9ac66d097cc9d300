import { chmodSync, mkdirSync } from "node:fs";

/**
 * Creates a directory that only this process's user may enter, or closes it to others: DATA_DIR may have been created by
 * hand, with the usual permissions. Errors are ignored: if the directory cannot be created, the code that uses it
 * reports why, and some file systems do not support permissions.
 */
export function makePrivateDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    chmodSync(path, 0o700);
  } catch {}
}

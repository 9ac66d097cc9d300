import { chmodSync, mkdirSync } from "node:fs";

/**
 * Creates a directory that only this process's user may enter, or closes it to others: DATA_DIR may have been created by
 * hand, with the usual permissions. If that is not possible, whatever uses the directory reports why, or its file system
 * does not support permissions.
 */
export function makePrivateDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    chmodSync(path, 0o700);
  } catch {}
}

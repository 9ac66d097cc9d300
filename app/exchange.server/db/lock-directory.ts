import { accessSync, constants, mkdirSync } from "node:fs";
import { join } from "node:path";
import { StartupError } from "../../lib/startup-error";
import { lockFile, unlockFile } from "./lock-file.js";

export type DirectoryLock = { release(): void };

/** Another running process uses the directory. */
export class DirectoryLockedError extends StartupError {
  constructor(dataDir: string, pid: number) {
    super(
      `${dataDir} is in use by the process ${pid}, and each sandbox needs a directory of its own: ` +
        "stop that process, or set another DATA_DIR and PORT.",
    );
    this.name = "DirectoryLockedError";
  }
}

/**
 * Locks a data directory for this process, because PGlite and the sandbox's chains don't do so themselves (T62).
 * See docs/decisions/0019-data-directory-lock.md.
 * @throws DirectoryLockedError
 */
export function lockDirectory(dataDir: string): DirectoryLock {
  createDirectory(dataDir);
  const file = join(dataDir, "lock.json");
  const holder = lockFile(file);
  if (holder !== null) throw new DirectoryLockedError(dataDir, holder);
  return { release: () => unlockFile(file) };
}

function createDirectory(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.W_OK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new StartupError(`${dataDir} is not a writable directory (${code}): check DATA_DIR.`, { cause });
  }
}

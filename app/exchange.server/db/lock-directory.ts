import { accessSync, constants, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartupError } from "../../lib/startup-error";

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

type Holder = { pid: number; startedAt: string | null };

/**
 * Locks a data directory for this process, because PGlite and the sandbox's chains have no lock of their own (T62).
 * Takes over the lock of a process that has ended, even if its pid now belongs to another process, as in a container
 * that was killed and started again. See docs/decisions/0019-data-directory-lock.md.
 * @throws DirectoryLockedError
 */
export function lockDirectory(dataDir: string): DirectoryLock {
  createDirectory(dataDir);
  const file = join(dataDir, "lock.json");
  const mine: Holder = { pid: process.pid, startedAt: getStartTime(process.pid) };
  // Three attempts: another process may take over the stale lock before us.
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      writeFileSync(file, JSON.stringify(mine), { flag: "wx", mode: 0o600 });
      return { release: () => releaseOwn(file, mine) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const holder = readHolder(file);
    if (holder && isRunning(holder)) throw new DirectoryLockedError(dataDir, holder.pid);
    removeQuietly(file);
  }
  throw new DirectoryLockedError(dataDir, readHolder(file)?.pid ?? 0);
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

function isRunning(holder: Holder): boolean {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    // EPERM: it is running under another user.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  // The same pid with another start time is another process.
  const startedAt = getStartTime(holder.pid);
  return holder.startedAt === null || startedAt === null || holder.startedAt === startedAt;
}

/** When a process started, in clock ticks since boot (Linux, proc(5)); null on other systems. */
function getStartTime(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // Field 22 (starttime), counted from after the command name, which may contain spaces and parentheses.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

function readHolder(file: string): Holder | null {
  try {
    const parsed: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof parsed !== "object" || parsed === null || !("pid" in parsed)) return null;
    const { pid } = parsed;
    if (typeof pid !== "number" || !Number.isInteger(pid) || pid <= 0) return null;
    const startedAt = "startedAt" in parsed && typeof parsed.startedAt === "string" ? parsed.startedAt : null;
    return { pid, startedAt };
  } catch {
    return null;
  }
}

function releaseOwn(file: string, mine: Holder): void {
  if (readHolder(file)?.pid === mine.pid) removeQuietly(file);
}

function removeQuietly(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

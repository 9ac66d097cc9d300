import { mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export type DirectoryLock = { release(): void };

/** Another living process works on the directory. Its message is for the operator. */
export class DirectoryLockedError extends Error {
  constructor(dataDir: string, pid: number) {
    super(
      `${dataDir} is in use by the process ${pid}. Two processes on one embedded database lose each other's rows: ` +
        "stop that one, or give this one another DATA_DIR (and PORT), or a PostgreSQL by DATABASE_URL.",
    );
    this.name = "DirectoryLockedError";
  }
}

type Holder = { pid: number; startedAt: string | null };

/**
 * Takes the directory for this process (PGlite has no lock of its own, T62). A lock whose
 * process is gone is taken over; so is one whose pid now belongs to another process, which
 * happens when a killed container starts again. @throws DirectoryLockedError
 */
export function lockDirectory(dataDir: string): DirectoryLock {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, "lock.json");
  const mine: Holder = { pid: process.pid, startedAt: startOf(process.pid) };
  // Three tries: between reading a dead holder's file and writing ours another may be quicker.
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      writeFileSync(file, JSON.stringify(mine), { flag: "wx", mode: 0o600 });
      return { release: () => releaseOwn(file, mine) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const holder = readHolder(file);
    if (holder && isAlive(holder)) throw new DirectoryLockedError(dataDir, holder.pid);
    removeQuietly(file);
  }
  throw new DirectoryLockedError(dataDir, readHolder(file)?.pid ?? 0);
}

function isAlive(holder: Holder): boolean {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  // The same pid with another start is another process. (A lock of our own pid and start is our own, held twice.)
  const startedAt = startOf(holder.pid);
  return holder.startedAt === null || startedAt === null || holder.startedAt === startedAt;
}

/** When a process started, in the kernel's ticks since boot; null where the system does not tell (not Linux). */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // Field 22, counted after the command's name, which may hold spaces and parentheses.
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

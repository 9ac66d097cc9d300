/**
 * A file that says which process holds a lock: its pid and, on Linux, its start time. This is JavaScript because
 * `npm start` locks before it builds.
 */
import { constants, copyFileSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";

/** @typedef {{ pid: number, startedAt: string | null }} Holder */

/**
 * Locks for this process. Takes over the lock of a process that has ended, even if its pid now belongs to another
 * process, as in a container that was killed and started again.
 * @param {string} file
 * @returns {number | null} null, or the pid of the running process that holds the lock
 */
export function lockFile(file) {
  const text = JSON.stringify({ pid: process.pid, startedAt: getStartTime(process.pid) });
  // Tries three times, because another process may take over the lock before us.
  for (let attempt = 0; attempt < 3; attempt++) {
    if (createFile(file, text)) return null;
    const holder = readHolder(file);
    if (holder && isRunning(holder)) return holder.pid;
    rmSync(file, { force: true });
  }
  return readHolder(file)?.pid ?? 0;
}

/**
 * Does nothing if another process holds the lock.
 * @param {string} file
 */
export function unlockFile(file) {
  if (readHolder(file)?.pid === process.pid) rmSync(file, { force: true });
}

/**
 * Creates a file together with its content. Another process would take an empty file for one that a crash left behind.
 * @param {string} file
 * @param {string} text
 * @returns {boolean} false if the file exists
 */
function createFile(file, text) {
  const own = `${file}.${process.pid}`;
  try {
    writeFileSync(own, text, { mode: 0o600 });
    linkOrCopy(own, file);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

/**
 * Copies on a file system without hard links, such as exFAT.
 * @param {string} from
 * @param {string} to
 */
function linkOrCopy(from, to) {
  try {
    linkSync(from, to);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "EEXIST") throw error;
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  }
}

/** @param {Holder} holder */
function isRunning(holder) {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    // EPERM: it is running under another user.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EPERM") return false;
  }
  // The same pid with another start time is another process.
  const startedAt = getStartTime(holder.pid);
  return holder.startedAt === null || startedAt === null || holder.startedAt === startedAt;
}

/**
 * When a process started, in clock ticks since boot (Linux, proc(5)); null on other systems.
 * @param {number} pid
 */
function getStartTime(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // Field 22 (starttime), counted from after the command name, which may contain spaces and parentheses.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

/**
 * @param {string} file
 * @returns {Holder | null} null if there is no file, or an incomplete one
 */
function readHolder(file) {
  try {
    const { pid, startedAt } = JSON.parse(readFileSync(file, "utf8"));
    if (!Number.isInteger(pid) || pid <= 0) return null;
    return { pid, startedAt: typeof startedAt === "string" ? startedAt : null };
  } catch {
    return null;
  }
}

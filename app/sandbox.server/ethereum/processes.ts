import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Returns the command line of a process, joined by spaces, or null if there is none (a zombie has none). */
export function readCommandLine(pid: number): string | null {
  try {
    if (process.platform === "linux") {
      const text = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      return text === "" ? null : text;
    }
    if (process.platform === "win32") {
      const query = `(Get-CimInstance Win32_Process -Filter "ProcessId=${pid}").CommandLine`;
      return execFileSync("powershell", ["-NoProfile", "-Command", query], { encoding: "utf8" }).trim() || null;
    }
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).trim() || null;
  } catch {
    return null;
  }
}

/**
 * Ends a process with SIGTERM, and with SIGKILL if it is still running after `timeoutMs`. Checks
 * `isSame` before each signal, so that another process that got the same pid is left alone.
 */
export async function terminateProcess(
  pid: number,
  isSame: (pid: number) => boolean,
  timeoutMs: number,
): Promise<void> {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (!isSame(pid) || !send(pid, signal)) return;
    for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; ) {
      await sleep(15);
      if (!isSame(pid)) return;
    }
  }
  throw new Error(`Could not end process ${pid}.`);
}

/** False if the process has ended since it was last checked. */
function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}

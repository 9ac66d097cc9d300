import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** What a process was started as, its arguments joined by spaces; null when there is none (a zombie has none). */
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

/** Ends a process politely, then not. `isIt` is asked each time, so that a pid used anew is left alone. */
export async function endProcess(pid: number, isIt: (pid: number) => boolean, patienceMs: number): Promise<void> {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (!isIt(pid)) return;
    process.kill(pid, signal);
    for (const deadline = Date.now() + patienceMs; Date.now() < deadline; ) {
      await sleep(15);
      if (!isIt(pid)) return;
    }
  }
  throw new Error(`Process ${pid} could not be ended.`);
}

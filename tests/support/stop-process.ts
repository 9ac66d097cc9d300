import type { ChildProcess } from "node:child_process";

/** Whether the process has exited, or a signal has ended it. */
export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Ends a process with SIGTERM, after 20 seconds with SIGKILL, and waits for its end. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 20_000);
  await exited;
  clearTimeout(timer);
}

import fs from "node:fs";
import type { DestinationStream } from "pino";

/** About how many bytes may wait to be written. Lines beyond that are lost. */
const maxWaiting = 4 * 1024 * 1024;
/** How long to wait after a write that failed. */
const retryMs = 50;
/** How long a process that is ending waits for the reader of a full pipe, and how often it tries. */
const maxEndMs = 1_000;
const endRetryMs = 10;

type LineWriter = DestinationStream & {
  /** Tries once to write what waits. pino calls it after each line of level `fatal`. */
  flushSync(): void;
  /** Writes what waits before the process ends. If a pipe is full, waits a moment for its reader. */
  end(): void;
};

/**
 * Writes each line to a file descriptor at once, so that lines stay in order and none is lost when the process ends. A
 * write that fails, for example because the disk or a pipe is full, is repeated until it succeeds. pino's own
 * destination would end the process, or would block it, because its `flushSync` returns only after everything is
 * written.
 * @param onLost called once lines can be written again, with the number of lines that were lost
 */
export function createLineWriter(fd: number, onLost: (lines: number) => void): LineWriter {
  /** What was left of the last write, and the lines after that. */
  let rest: Uint8Array = Buffer.alloc(0);
  let waiting = "";
  let retry: NodeJS.Timeout | undefined;
  let lost = 0;

  /** @returns what a write failed with; null if nothing waits any longer */
  function flush(): unknown {
    try {
      while (rest.length + waiting.length > 0) {
        if (rest.length === 0) {
          rest = Buffer.from(waiting);
          waiting = "";
        }
        rest = rest.subarray(fs.writeSync(fd, rest));
      }
    } catch (error) {
      return error;
    }
    if (lost > 0) reportLost();
    return null;
  }

  function reportLost(): void {
    const lines = lost;
    lost = 0;
    onLost(lines);
  }

  function writeOrRetry(): void {
    retry = undefined;
    if (flush() !== null) retry = setTimeout(writeOrRetry, retryMs).unref();
  }

  return {
    write(line) {
      // After the first lost line, all others are lost until the report, which then appears where lines are missing.
      if (lost > 0 || rest.length + waiting.length + line.length > maxWaiting) lost += 1;
      else waiting += line;
      if (retry === undefined) writeOrRetry();
    },
    flushSync() {
      flush();
    },
    end() {
      const deadline = performance.now() + maxEndMs;
      while (isFullPipe(flush()) && performance.now() < deadline) sleepSync(endRetryMs);
    },
  };
}

function isFullPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EAGAIN";
}

function sleepSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

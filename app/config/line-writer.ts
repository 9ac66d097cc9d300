import fs from "node:fs";
import type { DestinationStream } from "pino";

/** About how many bytes may wait to be written. Lines beyond that are lost. */
const maxWaiting = 4 * 1024 * 1024;
/** How long to wait after a write that failed. */
const retryMs = 250;

type LineWriter = DestinationStream & {
  /** Tries once to write what waits. pino calls it after each line of level `fatal`. */
  flushSync(): void;
};

/**
 * Writes lines to a file descriptor without waiting for it. A write that fails, for example because the disk is full, is
 * repeated until it succeeds. pino's own destination would end the process or, because its `flushSync` does not return
 * before everything is written, stop it from doing anything else.
 * @param onLost called once lines can be written again, with the number of lines that were lost
 */
export function createLineWriter(fd: number, onLost: (lines: number) => void): LineWriter {
  /** What was left of the last write, and the lines after that. */
  let rest: Uint8Array = Buffer.alloc(0);
  let waiting = "";
  let isBusy = false;
  /** How many bytes are being written. */
  let writing = 0;
  let lost = 0;

  function takeAll(): Uint8Array {
    const bytes = Buffer.concat([rest, Buffer.from(waiting)]);
    rest = Buffer.alloc(0);
    waiting = "";
    return bytes;
  }

  function writeNext(): void {
    if (isBusy || rest.length + waiting.length === 0) return;
    isBusy = true;
    const bytes = takeAll();
    writing = bytes.length;
    fs.write(fd, bytes, (error, written) => {
      writing = 0;
      rest = Buffer.concat([bytes.subarray(error ? 0 : written), rest]);
      if (error) setTimeout(continueWriting, retryMs).unref();
      else continueWriting();
    });
  }

  function continueWriting(): void {
    isBusy = false;
    if (lost > 0 && rest.length === 0) reportLost();
    writeNext();
  }

  function reportLost(): void {
    const lines = lost;
    lost = 0;
    onLost(lines);
  }

  return {
    write(line) {
      if (writing + rest.length + waiting.length + line.length > maxWaiting) lost += 1;
      else waiting += line;
      writeNext();
    },
    flushSync() {
      let bytes = takeAll();
      try {
        while (bytes.length > 0) bytes = bytes.subarray(fs.writeSync(fd, bytes));
      } catch {
        rest = bytes;
      }
    },
  };
}

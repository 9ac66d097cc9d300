import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { makePrivateDirectory } from "../../exchange.server/db/private-directory";
import { StartupError } from "../../lib/startup-error";

/**
 * An append-only file of JSON lines. When `append` resolves, its entries are on disk, so a killed
 * process loses nothing that it has acknowledged. Anything that a failed `append` has written, for example on a full
 * disk, is removed before the next one. A last line that a kill truncated is removed at the next start.
 */
export type Journal<T> = {
  entries: T[];
  append(entries: T[]): Promise<void>;
  close(): Promise<void>;
};

/**
 * Opens the journal at `path`. With null, nothing is stored.
 * @throws StartupError if the file is damaged
 */
export async function openJournal<T>(path: string | null): Promise<Journal<T>> {
  if (path === null) return { entries: [], append: async () => undefined, close: async () => undefined };
  makePrivateDirectory(dirname(path));
  const read = await readLines<T>(path);
  const file = await open(path, "a");
  let goodBytes = read.goodBytes;
  await file.truncate(goodBytes);
  let isWhole = true;
  return {
    entries: read.entries,
    async append(more) {
      if (!isWhole) await file.truncate(goodBytes);
      isWhole = false;
      const lines = Buffer.from(more.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
      await file.appendFile(lines);
      await file.datasync();
      goodBytes += lines.length;
      isWhole = true;
    },
    close: () => file.close(),
  };
}

/** Longer than any line. */
const maxLineBytes = 64 * 1024 * 1024;

/** Reads the file in pieces, because a string cannot hold a whole one of more than 512 MB. */
async function readLines<T>(path: string): Promise<{ entries: T[]; goodBytes: number }> {
  const entries: T[] = [];
  let goodBytes = 0;
  let rest = Buffer.alloc(0);
  for await (const bytes of readPieces(path)) {
    const piece = Buffer.concat([rest, bytes]);
    const end = piece.lastIndexOf(0x0a) + 1;
    try {
      for (const line of piece.toString("utf8", 0, end).split("\n"))
        if (line !== "") entries.push(JSON.parse(line) as T);
    } catch (cause) {
      throw damaged(path, cause);
    }
    goodBytes += end;
    rest = piece.subarray(end);
    if (rest.length > maxLineBytes) throw damaged(path);
  }
  return { entries, goodBytes };
}

/** The file's bytes; none if it does not exist. */
async function* readPieces(path: string): AsyncGenerator<Buffer> {
  try {
    for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024 })) yield piece;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
}

function damaged(path: string, cause?: unknown): StartupError {
  return new StartupError(`${path} is damaged: delete it to start a new chain, or set another DATA_DIR.`, { cause });
}

import { mkdir, open, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { StartupError } from "../../lib/startup-error";

/**
 * An append-only file of JSON lines. When `append` resolves, its entries are on disk, so a killed
 * process loses nothing that it has acknowledged. What an `append` that failed has written, as on a full disk, is
 * removed before the next one, and a last line that was truncated by a kill at the next start.
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
  await mkdir(dirname(path), { recursive: true });
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

async function readLines<T>(path: string): Promise<{ entries: T[]; goodBytes: number }> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return Buffer.alloc(0);
    throw error;
  });
  const goodBytes = bytes.lastIndexOf(0x0a) + 1;
  const lines = bytes.subarray(0, goodBytes).toString("utf8").split("\n").filter(Boolean);
  try {
    return { entries: lines.map((line) => JSON.parse(line) as T), goodBytes };
  } catch (cause) {
    throw new StartupError(`${path} is damaged: delete it to start a new chain, or set another DATA_DIR.`, { cause });
  }
}

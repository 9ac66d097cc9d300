import { mkdir, open, readFile } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * An append-only file of JSON lines. When `append` resolves, its entries are on disk, so a killed
 * process loses nothing that it has acknowledged. A last line that was truncated by a kill is
 * dropped at the next start.
 */
export type Journal<T> = {
  entries: T[];
  append(entries: T[]): Promise<void>;
  close(): Promise<void>;
};

/** Opens the journal at `path`. With null, nothing is stored. */
export async function openJournal<T>(path: string | null): Promise<Journal<T>> {
  if (path === null) return { entries: [], append: async () => undefined, close: async () => undefined };
  await mkdir(dirname(path), { recursive: true });
  const { entries, goodBytes } = await readLines<T>(path);
  const file = await open(path, "a");
  await file.truncate(goodBytes);
  return {
    entries,
    async append(more) {
      await file.appendFile(more.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
      await file.datasync();
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
  return { entries: lines.map((line) => JSON.parse(line) as T), goodBytes };
}

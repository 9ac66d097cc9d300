import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { StartupError } from "~/lib/startup-error";
import { openJournal } from "~/sandbox.server/mobilecoin/journal";
import { createNetwork } from "~/sandbox.server/mobilecoin/network";
import { createTemporaryDirectory } from "../../support/temporary-directory";

const newFile = () => join(createTemporaryDirectory(), "ledger.jsonl");

/** What file handles inherit, to replace methods that they share. */
async function toFileHandles(): Promise<FileHandle> {
  const handle = await open(newFile(), "w");
  await handle.close();
  return Object.getPrototypeOf(handle) as FileHandle;
}

async function readEntries(path: string): Promise<unknown[]> {
  const { entries, close } = await openJournal(path);
  await close();
  return entries;
}

describe("a journal", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("removes what a failed append has written, so that the file stays readable", async () => {
    const path = newFile();
    const journal = await openJournal<{ n: number }>(path);
    await journal.append([{ n: 1 }]);
    const handles = await toFileHandles();
    vi.spyOn(handles, "appendFile").mockImplementationOnce(async () => {
      appendFileSync(path, '{"n":');
      throw new Error("ENOSPC");
    });
    await expect(journal.append([{ n: 2 }])).rejects.toThrow("ENOSPC");
    await journal.append([{ n: 3 }]);
    await journal.close();
    expect(await readEntries(path)).toEqual([{ n: 1 }, { n: 3 }]);
  });

  it("keeps the wallets' seeds from other users, even in a directory that they could read", async () => {
    const directory = join(createTemporaryDirectory(), "mobilecoin");
    mkdirSync(directory, { mode: 0o755 });
    const journal = await openJournal(join(directory, "ledger.jsonl"));
    await journal.close();
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  it("drops a last line without an end, and names a file that is damaged", async () => {
    const path = newFile();
    writeFileSync(path, '{"n":1}\n{"n":2');
    const journal = await openJournal(path);
    expect(journal.entries).toEqual([{ n: 1 }]);
    await journal.close();
    expect(readFileSync(path, "utf8")).toBe('{"n":1}\n');
    writeFileSync(path, '{"n":\n{"n":2}\n');
    const error: unknown = await openJournal(path).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StartupError);
    expect((error as Error).message).toContain(`${path} is damaged`);
  });

  it("is read in pieces, however long it is", async () => {
    const path = newFile();
    // Pieces begin and end within characters of three bytes.
    const entries = Array.from({ length: 3_000 }, (_, n) => ({ n, text: "€".repeat(500) }));
    writeFileSync(path, `${entries.map((entry) => JSON.stringify(entry)).join("\n")}\n{"n":`);
    // Stands in for V8, which cannot make a string of more than 512 MB.
    const buffers: Buffer = Buffer.prototype;
    const { toString: decode } = buffers;
    vi.spyOn(buffers, "toString").mockImplementation(function (this: Buffer, encoding, from = 0, to = this.length) {
      if (to - from > 2 * 1024 * 1024) throw new Error("Cannot create a string longer than 0x1fffffe8 characters");
      return decode.call(this, encoding, from, to);
    });
    const journal = await openJournal(path);
    expect(journal.entries).toEqual(entries);
    await journal.append([{ n: 3_000 }]);
    await journal.close();
    expect(await readEntries(path)).toEqual([...entries, { n: 3_000 }]);
  });
});

it("the network tries again to make a block that could not be stored", async () => {
  const append = vi.fn(async () => undefined);
  const onError = vi.fn();
  const network = createNetwork({ entries: [], append, close: async () => undefined }, 1, onError);
  const tx = { id: "t1", accountId: "a1", inputs: [], payload: [], change: [], fee: "0", tombstone: 100 };
  await network.change(async (commit) => {
    await network.propose(tx, commit);
    append.mockRejectedValueOnce(new Error("ENOSPC"));
  });
  await network.nextBlock();
  expect(onError).toHaveBeenCalledOnce();
  expect(network.ledger.height).toBe(1);
  await network.stop();
});

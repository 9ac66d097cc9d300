import { Zip, ZipDeflate } from "fflate";

/** A file of a zip, as pieces of text. */
export type ZippedFile = { name: string; pieces: Iterable<string> | AsyncIterable<string> };

/** Compresses files into a zip as they are read. Only the pieces being compressed are in memory. */
export function toZip(files: readonly ZippedFile[], modifiedAt: Date): ReadableStream<Uint8Array> {
  const chunks = compress(files, modifiedAt);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return();
    },
  });
}

async function* compress(files: readonly ZippedFile[], modifiedAt: Date): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  const ready: Uint8Array[] = [];
  const take = () => ready.splice(0);
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    ready.push(chunk);
  });
  for (const { name, pieces } of files) {
    const file = new ZipDeflate(name, { level: 6 });
    file.mtime = modifiedAt;
    zip.add(file);
    for await (const piece of pieces) {
      file.push(encoder.encode(piece));
      yield* take();
    }
    file.push(new Uint8Array(), true);
    yield* take();
  }
  zip.end();
  yield* take();
}

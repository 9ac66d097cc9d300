import { chooseEncoding } from "./choose-encoding.server";
import { brotliText, gzipBytes } from "./compress.server";

/** A page that is still streaming after this long is sent uncompressed, as it streams. */
const collectMs = 10;
const minimumBytes = 1_024;

/**
 * Compresses a rendered page in one call: streaming brotli costs more than rendering does.
 * Pages that keep streaming, are small or are not text are sent as they are.
 */
export async function compressPage(response: Response, acceptEncoding: string): Promise<Response> {
  const type = response.headers.get("Content-Type") ?? "";
  if (!response.body || !/^text\/(?:html|x-script)/.test(type) || response.headers.has("Content-Encoding")) {
    return response;
  }
  const headers = new Headers(response.headers);
  headers.append("Vary", "Accept-Encoding");
  const init = { status: response.status, statusText: response.statusText, headers };
  const encoding = chooseEncoding(acceptEncoding, ["br", "gzip"]);
  if (encoding === "identity") return new Response(response.body, init);

  const { chunks, rest } = await collect(response.body);
  if (rest) return new Response(resume(chunks, rest), init);
  const page = Buffer.concat(chunks);
  if (page.length < minimumBytes) return new Response(page, init);
  const body = encoding === "br" ? await brotliText(page, 4) : await gzipBytes(page, { level: 5 });
  headers.set("Content-Encoding", encoding);
  headers.set("Content-Length", String(body.length));
  return new Response(new Uint8Array(body), init);
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;
type Pending = { reader: Reader; next: ReturnType<Reader["read"]> };

/** All chunks or, if the body is still streaming, the chunks read so far and the reader for the rest. */
async function collect(body: ReadableStream<Uint8Array>): Promise<{ chunks: Uint8Array[]; rest: Pending | null }> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(resolve, collectMs, "late");
  });
  try {
    for (;;) {
      const next = reader.read();
      const read = await Promise.race([next, late]);
      if (read === "late") return { chunks, rest: { reader, next } };
      if (read.done) return { chunks, rest: null };
      chunks.push(read.value);
    }
  } finally {
    clearTimeout(timer);
  }
}

function resume(chunks: Uint8Array[], { reader, next }: Pending): ReadableStream<Uint8Array> {
  let pending: ReturnType<Reader["read"]> | null = next;
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
    },
    async pull(controller) {
      const read = await (pending ?? reader.read());
      pending = null;
      if (read.done) controller.close();
      else controller.enqueue(read.value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

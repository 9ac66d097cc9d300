/** Thrown when a response's body has more bytes than its caller is willing to read. */
export class BodyTooLargeError extends Error {
  constructor() {
    super("The response is too large.");
    this.name = "BodyTooLargeError";
  }
}

/**
 * A `fetch` that resolves once the whole body has arrived, so that a time limit on it includes the body. The time
 * limits of ky and viem end when `fetch` resolves, so without this function, a server that sends only its headers would
 * keep the caller waiting forever.
 * @param maxBytes of the body; a longer one rejects with BodyTooLargeError
 */
export function fetchWhole(maxBytes: number, send: typeof fetch = fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    // `Response` does not accept a body with a status such as 204, not even an empty one.
    if (response.body === null) return response;
    const signal = init?.signal ?? (input instanceof Request ? input.signal : null);
    return new Response(await readBytes(response.body, maxBytes, signal), response);
  };
}

async function readBytes(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  signal: AbortSignal | null,
): Promise<Buffer<ArrayBuffer>> {
  const reader = body.getReader();
  const stop = () => void reader.cancel().catch(() => undefined);
  // Once the garbage collector has run, Node.js no longer ends the body of `fetch` when its signal is aborted.
  signal?.addEventListener("abort", stop);
  try {
    const chunks: Uint8Array[] = [];
    for (let bytes = 0; ; ) {
      signal?.throwIfAborted();
      const { done, value } = await reader.read();
      signal?.throwIfAborted();
      if (done) return Buffer.concat(chunks);
      bytes += value.length;
      if (bytes > maxBytes) throw new BodyTooLargeError();
      chunks.push(value);
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    stop();
  }
}

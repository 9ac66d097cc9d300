import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const brotli = promisify(brotliCompress);

/** Compresses text with Brotli in another thread. `quality` is from 0 to 11, the best. */
export function brotliText(text: Buffer, quality: number): Promise<Buffer> {
  return brotli(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    },
  });
}

/** Compresses with gzip in another thread. `level` is from 0 to 9, the best. */
export const gzipBytes: (bytes: Buffer, options?: { level: number }) => Promise<Buffer> = promisify(gzip);

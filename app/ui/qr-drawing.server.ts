import { drawQrCode, type QrDrawing } from "./draw-qr";

/** Recent drawings, least recently used first. Drawing a code takes about half as long as rendering a page. */
const cache = new Map<string, QrDrawing>();
const maxCached = 500;

/** The QR code of a value, from the cache if possible. Drawn here, so that most pages don't download the encoder. */
export function drawQr(value: string): QrDrawing {
  const drawing = cache.get(value) ?? drawQrCode(value);
  // Move it to the end, as the most recently used.
  cache.delete(value);
  cache.set(value, drawing);
  for (const oldest of cache.keys()) {
    if (cache.size <= maxCached) break;
    cache.delete(oldest);
  }
  return drawing;
}

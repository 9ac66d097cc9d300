import { LRUCache } from "lru-cache";
import { drawQrCode, type QrDrawing } from "./draw-qr";

/** Drawing a code takes milliseconds. */
const cache = new LRUCache<string, QrDrawing>({ max: 500, memoMethod: drawQrCode });

/** The QR code of a value, from the cache if possible. Drawn here, so that most pages don't download the encoder. */
export function drawQr(value: string): QrDrawing {
  return cache.memo(value);
}

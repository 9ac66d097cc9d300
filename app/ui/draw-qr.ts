import { encodeQR } from "qr";

/** A QR code as one SVG path on a grid of `size` modules, including the quiet zone. */
export type QrDrawing = { size: number; path: string };

/**
 * Draws a QR code. Each run of dark modules in a row becomes one rectangle. Error correction level M survives small
 * damage and keeps long addresses easy to scan. In the browser, import it only on demand: it brings an encoder.
 */
export function drawQrCode(value: string): QrDrawing {
  const rows = encodeQR(value, "raw", { ecc: "medium", border: 4 });
  let path = "";
  for (const [row, modules] of rows.entries()) {
    for (let column = modules.indexOf(true); column !== -1; column = modules.indexOf(true, column)) {
      const start = column;
      while (modules[column]) column++;
      path += `M${start} ${row}h${column - start}v1h-${column - start}z`;
    }
  }
  return { size: rows.length, path };
}

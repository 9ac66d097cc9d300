import qrcode from "qrcode-generator";

/** A QR code as one SVG path on a grid of `size` modules, including the quiet zone. */
export type QrDrawing = { size: number; path: string };

const quietZone = 4;

/**
 * Draws a QR code. Each run of dark modules in a row becomes one rectangle. Error correction level M survives small
 * damage and keeps long addresses easy to scan. In the browser, import it only on demand: it brings an encoder.
 */
export function drawQrCode(value: string): QrDrawing {
  const code = qrcode(0, "M");
  code.addData(value);
  code.make();
  const count = code.getModuleCount();
  let path = "";
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < count; column++) {
      if (!code.isDark(row, column)) continue;
      const start = column;
      while (column + 1 < count && code.isDark(row, column + 1)) column++;
      const run = column - start + 1;
      path += `M${start + quietZone} ${row + quietZone}h${run}v1h-${run}z`;
    }
  }
  return { size: count + 2 * quietZone, path };
}

import qrcode from "qrcode-generator";

/** A code as one path on a grid of `size` modules, the quiet zone of four modules included. */
export type QrDrawing = { size: number; path: string };

const quiet = 4;

/** An order's page draws the same codes at each look, and each costs as much as the half of a page. */
const drawn = new Map<string, QrDrawing>();
const mostDrawn = 500;

/** The drawing of a value, from memory where it was drawn lately. */
export function drawQr(value: string): QrDrawing {
  const drawing = drawn.get(value) ?? draw(value);
  // The one that was asked for last goes last; the first of all gives way.
  drawn.delete(value);
  drawn.set(value, drawing);
  for (const oldest of drawn.keys()) {
    if (drawn.size <= mostDrawn) break;
    drawn.delete(oldest);
  }
  return drawing;
}

/**
 * Draws on the server, so that no browser is sent the encoder. Runs of dark modules in a row become one
 * rectangle each. Level M: a scratch or a thumb is survived, and an address stays coarse enough for any camera.
 */
function draw(value: string): QrDrawing {
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
      path += `M${start + quiet} ${row + quiet}h${run}v1h-${run}z`;
    }
  }
  return { size: count + 2 * quiet, path };
}

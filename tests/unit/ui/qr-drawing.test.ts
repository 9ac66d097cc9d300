import { decodeQR } from "qr/decode.js";
import { describe, expect, it } from "vitest";
import type { QrDrawing } from "~/ui/draw-qr";
import { drawQr } from "~/ui/qr-drawing.server";

/** The dark modules that a renderer would fill from the path's rectangles, as [column, row]. */
function listDark({ path }: QrDrawing): [number, number][] {
  return [...path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)].flatMap(([, x, y, run]) =>
    Array.from({ length: Number(run) }, (_, at): [number, number] => [Number(x) + at, Number(y)]),
  );
}

/** A picture of the drawing, with a few pixels for each module. */
function photograph(drawing: QrDrawing) {
  const scale = 4;
  const side = drawing.size * scale;
  const data = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const [column, row] of listDark(drawing)) {
    for (let y = row * scale; y < (row + 1) * scale; y++) {
      const start = (y * side + column * scale) * 4;
      data.fill(0, start, start + scale * 4);
    }
  }
  return { width: side, height: side, data };
}

describe("drawQr", () => {
  const value = "ethereum:0x70997970C51812dc3A010C7d01b50e0d17dc79C8@11155111?value=0";

  it.each([
    ["a payment", value, 45],
    ["a long MobileCoin address", "6UEt".repeat(50), 65],
  ])("draws %s as a code that a scanner reads, inside a quiet zone of four modules", (_, text, size) => {
    const drawing = drawQr(text);
    expect(drawing.size).toBe(size);
    expect(decodeQR(photograph(drawing))).toBe(text);
    const places = listDark(drawing).flat();
    expect([Math.min(...places), Math.max(...places)]).toEqual([4, size - 5]);
  });

  it("caches recent drawings and evicts the least recently used", () => {
    const first = drawQr(value);
    for (let at = 0; at < 300; at++) drawQr(`a${at}`);
    expect(drawQr(value)).toBe(first);
    for (let at = 0; at < 500; at++) drawQr(`b${at}`);
    expect(drawQr(value)).not.toBe(first);
    expect(drawQr(value)).toEqual(first);
  });
});

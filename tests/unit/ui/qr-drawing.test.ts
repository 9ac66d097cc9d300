import qrcode from "qrcode-generator";
import { describe, expect, it } from "vitest";
import { drawQr } from "~/ui/qr-drawing.server";

/** The dark cells that a renderer would fill from the path's rectangles. */
function dark(path: string): Set<string> {
  const cells = new Set<string>();
  for (const [, x, y, run] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let at = 0; at < Number(run); at++) cells.add(`${Number(x) + at},${y}`);
  }
  return cells;
}

describe("drawQr", () => {
  const value = "ethereum:0x70997970C51812dc3A010C7d01b50e0d17dc79C8@11155111?value=0";

  it("draws every module of the code inside a quiet zone of four modules", () => {
    const code = qrcode(0, "M");
    code.addData(value);
    code.make();
    const drawing = drawQr(value);
    const count = code.getModuleCount();
    expect(drawing.size).toBe(count + 8);
    const cells = dark(drawing.path);
    for (let row = 0; row < count; row++) {
      for (let column = 0; column < count; column++) {
        expect(cells.has(`${column + 4},${row + 4}`)).toBe(code.isDark(row, column));
      }
    }
    expect([...cells].every((cell) => cell.split(",").every((at) => Number(at) >= 4 && Number(at) < count + 4))).toBe(
      true,
    );
  });

  it("draws a long MobileCoin address", () => {
    expect(drawQr("6UEt".repeat(50)).path.length).toBeGreaterThan(1000);
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

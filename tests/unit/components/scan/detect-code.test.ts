// @vitest-environment jsdom
import { encodeQR } from "qr";
import { decodeQR } from "qr/decode.js";
import { afterEach, describe, expect, it, vi } from "vitest";
import { loadDetector } from "~/components/scan/detect-code";
import { toProblem } from "~/components/scan/use-camera";

afterEach(() => vi.unstubAllGlobals());

/** A picture of a code, as a camera's RGBA bytes. */
function photograph(text: string, scale: number) {
  const modules = encodeQR(text, "raw", { ecc: "medium", border: 4 });
  const side = modules.length * scale;
  const data = new Uint8ClampedArray(side * side * 4).fill(255);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const isDark = modules[Math.floor(y / scale)]?.[Math.floor(x / scale)];
      if (isDark) data.fill(20, (y * side + x) * 4, (y * side + x) * 4 + 3);
    }
  }
  return { width: side, height: side, data };
}

describe("the decoder", () => {
  it.each([42, 107, 254])("reads a code of %d characters", (length) => {
    const text = "x".repeat(length);
    expect(decodeQR(photograph(text, 5))).toBe(text);
  });
});

describe("the detector", () => {
  it("is the browser's own if it supports QR codes", async () => {
    class BarcodeDetector {
      static getSupportedFormats = async () => ["qr_code"];
      detect = async () => [{ rawValue: "found" }];
    }
    vi.stubGlobal("BarcodeDetector", BarcodeDetector);
    expect(await (await loadDetector())(document.createElement("video"))).toBe("found");
  });

  it.each([async () => ["ean_13"], () => Promise.reject(new Error("no service"))])(
    "is this site's decoder if the browser does not support QR codes",
    async (getSupportedFormats) => {
      class BarcodeDetector {
        static getSupportedFormats = getSupportedFormats;
        detect = () => Promise.reject(new Error("not to be used"));
      }
      vi.stubGlobal("BarcodeDetector", BarcodeDetector);
      // A video without a picture yet.
      expect(await (await loadDetector())(document.createElement("video"))).toBeNull();
    },
  );
});

describe("a camera that does not start", () => {
  it.each([
    ["NotAllowedError", /settings for this site, or paste/],
    ["NotFoundError", /No camera was found/],
    ["NotReadableError", /Another app/],
    ["AbortError", /Try again, or paste/],
  ])("is explained (%s)", (name, message) => {
    expect(toProblem(new DOMException("technical text", name))).toMatch(message);
  });
});

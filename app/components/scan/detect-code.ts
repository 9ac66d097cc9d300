type Detector = { detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]> };
type DetectorClass = {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
};

/** The text of the QR code that is in the camera's view now; null if there is none. */
export type DetectCode = (video: HTMLVideoElement) => Promise<string | null>;

/** The browser's own detector if there is one, otherwise a decoder that is loaded now. */
export async function loadDetector(): Promise<DetectCode> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass };
  if (BarcodeDetector && (await listFormats(BarcodeDetector)).includes("qr_code")) {
    const detector = new BarcodeDetector({ formats: ["qr_code"] });
    // It may fail for a single picture.
    return async (video) => (await detector.detect(video).catch(() => []))[0]?.rawValue ?? null;
  }
  const { decodeQR } = await import("qr/decode.js");
  return async (video) => {
    const image = readFrame(video);
    try {
      return image && decodeQR(image);
    } catch {
      // The decoder throws if the picture has no code.
      return null;
    }
  };
}

/** None if the browser has the class but the platform has no detector. */
function listFormats(BarcodeDetector: DetectorClass): Promise<string[]> {
  return BarcodeDetector.getSupportedFormats().catch((): string[] => []);
}

/** Large enough for the code of a MobileCoin address with Fog, small enough to decode within a frame. */
const maxSide = 960;
let canvas: HTMLCanvasElement | undefined;

function readFrame(video: HTMLVideoElement): ImageData | null {
  const scale = Math.min(1, maxSide / Math.max(video.videoWidth, video.videoHeight));
  const width = Math.floor(video.videoWidth * scale);
  const height = Math.floor(video.videoHeight * scale);
  if (!(width > 0 && height > 0)) return null;
  canvas ??= document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context?.drawImage(video, 0, 0, width, height);
  return context?.getImageData(0, 0, width, height) ?? null;
}

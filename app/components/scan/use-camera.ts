import { useEffect, useState } from "react";
import { loadDetector } from "./detect-code";

/** The time between two attempts to read the camera's picture. */
const pauseMs = 120;

/**
 * Shows the camera in a video element and calls `onCode` with each code that it sees, until the component unmounts or
 * `onCode` returns true. Then the camera stops. Returns why there is no picture.
 */
export function useCamera(
  video: React.RefObject<HTMLVideoElement>,
  onCode: (text: string) => boolean,
): { problem: string | null } {
  const [problem, setProblem] = useState<string | null>(null);

  useEffect(() => {
    const camera = new AbortController();
    watchCamera(video.current, onCode, camera.signal).catch((error: unknown) => {
      if (!camera.signal.aborted) setProblem(toProblem(error));
    });
    return () => camera.abort();
  }, [video, onCode]);

  return { problem };
}

async function watchCamera(video: HTMLVideoElement | null, onCode: (text: string) => boolean, signal: AbortSignal) {
  if (!video) return;
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: "environment", width: { ideal: 1280 } },
  });
  const stop = () => {
    for (const track of stream.getTracks()) track.stop();
    video.srcObject = null;
  };
  signal.addEventListener("abort", stop);
  // Closed while the browser asked for permission.
  if (signal.aborted) return stop();
  try {
    video.srcObject = stream;
    await video.play();
    const detect = await loadDetector();
    while (!signal.aborted) {
      // The camera was unplugged, or its permission was withdrawn. Without this check, the last picture would stay.
      if (!stream.active) throw new Error("The camera has stopped.");
      const text = await detect(video);
      if (!signal.aborted && text !== null && onCode(text)) return;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  } finally {
    stop();
  }
}

const problems: Record<string, string> = {
  NotAllowedError:
    "The browser doesn't let this site use the camera. Allow it in the browser's settings for this site, or paste the address.",
  NotFoundError: "No camera was found. Paste the address instead.",
  NotReadableError: "Another app is using the camera. Close it and try again, or paste the address.",
};

/** `getUserMedia` rejects with a DOMException whose name says why. */
export function toProblem(error: unknown): string {
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  return problems[name] ?? "The camera didn't start, or it has stopped. Try again, or paste the address.";
}

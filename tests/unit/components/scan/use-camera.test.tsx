// @vitest-environment jsdom
import { cleanup, render, screen } from "@testing-library/react";
import { useRef } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { useCamera } from "~/components/scan/use-camera";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const ignore = () => false;

function Scanner() {
  const video = useRef<HTMLVideoElement>(null);
  const { problem } = useCamera(video, ignore);
  return (
    <>
      <video ref={video} muted />
      {problem}
    </>
  );
}

it("says that a camera has stopped that was unplugged, instead of leaving its last picture", async () => {
  const track = { stop: vi.fn() };
  const stream = { active: true, getTracks: () => [track] };
  vi.stubGlobal("navigator", { mediaDevices: { getUserMedia: async () => stream } });
  const play = vi.spyOn(HTMLMediaElement.prototype, "play").mockResolvedValue();
  render(<Scanner />);
  await vi.waitFor(() => expect(play).toHaveBeenCalled());
  expect(screen.queryByText(/camera/)).toBeNull();
  stream.active = false;
  expect(await screen.findByText(/The camera didn't start, or it has stopped\./)).toBeTruthy();
  expect(track.stop).toHaveBeenCalled();
});

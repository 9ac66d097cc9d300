import { useCallback, useEffect, useId, useRef, useState } from "react";
import type { AddressType } from "~/lib/assets";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { Stack } from "~/ui/layout";
import { Note } from "~/ui/note";
import { readScannedCode } from "./read-code";
import * as styles from "./scan.css";
import { useCamera } from "./use-camera";

type Props = {
  type: AddressType | null;
  onAddress(address: string): void;
  /** Called once the dialog is closed and the camera may stop. */
  onClose(): void;
};

/** Shows the camera's picture, and closes once it has read a code with an address. Load it only with `onDemand`. */
export default function ScanDialog({ type, onAddress, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const heading = useId();
  const [wrongCode, setWrongCode] = useState<string | null>(null);
  const found = useRef<string | null>(null);

  // A native modal dialog keeps the focus inside and closes with Escape.
  useEffect(() => {
    const element = dialog.current;
    if (!element?.open) element?.showModal();
  }, []);

  const readCode = useCallback(
    (code: string) => {
      const scanned = readScannedCode(code, type);
      if ("problem" in scanned) {
        setWrongCode(scanned.problem);
        return false;
      }
      found.current = scanned.address;
      dialog.current?.close();
      return true;
    },
    [type],
  );
  const { problem } = useCamera(video, readCode);

  function close() {
    onClose();
    // Closing has returned the focus to the button: the field takes it now.
    if (found.current !== null) onAddress(found.current);
  }

  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby={heading} onClose={close}>
      <Stack gap={4}>
        <h2 id={heading} className={text.heading}>
          Scan a QR code
        </h2>
        {problem ? (
          <Note tone="danger" title="The camera isn't available" live>
            <p>{problem}</p>
          </Note>
        ) : (
          <>
            {/* The camera's live picture has no speech to caption. */}
            <video ref={video} className={styles.picture} muted playsInline aria-label="The camera's picture" />
            <p className={text.muted} role="status">
              {wrongCode ?? "Hold the QR code of your address up to the camera. Pictures stay on your device."}
            </p>
          </>
        )}
        <Button type="button" full onClick={() => dialog.current?.close()}>
          Close
        </Button>
      </Stack>
    </dialog>
  );
}

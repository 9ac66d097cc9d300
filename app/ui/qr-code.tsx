import * as styles from "./qr-code.css";
import type { QrDrawing } from "./qr-drawing.server";

/** `drawing` comes from `drawQr` in a loader. The label says what the code contains and where to copy it. */
export function QrCode({ drawing, label }: { drawing: QrDrawing; label: string }) {
  return (
    <svg className={styles.code} viewBox={`0 0 ${drawing.size} ${drawing.size}`} role="img" aria-label={label}>
      <path fill="currentColor" d={drawing.path} />
    </svg>
  );
}

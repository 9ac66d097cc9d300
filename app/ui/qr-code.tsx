import type { QrDrawing } from "./draw-qr";
import * as styles from "./qr-code.css";

/** `drawing` usually comes from `drawQr` in a loader. The label says what the code contains and where to copy it. */
export function QrCode({ drawing, label }: { drawing: QrDrawing; label: string }) {
  return (
    <svg className={styles.code} viewBox={`0 0 ${drawing.size} ${drawing.size}`} role="img" aria-label={label}>
      <path fill="currentColor" d={drawing.path} />
    </svg>
  );
}

import { type ReactNode, useEffect, useId, useRef } from "react";
import * as styles from "./dialog.css";

export type DialogProps = {
  open: boolean;
  /** Called when it was closed by whatever means: Escape, a button, a form with method="dialog". */
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
  actions?: ReactNode;
};

/** The browser's own modal: it keeps the focus inside, Escape closes it, and the focus returns to where it was. */
export function Dialog({ open, onClose, title, children, actions }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();

  useEffect(() => {
    const dialog = ref.current;
    if (!dialog || dialog.open === open) return;
    if (open) dialog.showModal();
    else dialog.close();
  }, [open]);

  return (
    <dialog ref={ref} className={styles.dialog} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      <div className={styles.body}>{children}</div>
      {actions ? <div className={styles.actions}>{actions}</div> : null}
    </dialog>
  );
}

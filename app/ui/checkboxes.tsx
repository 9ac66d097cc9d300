import type { ReactNode } from "react";
import * as styles from "./choice.css";

export type Checkbox = { name: string; label: ReactNode; detail?: ReactNode; defaultChecked: boolean };

/** A group of checkboxes, each as a card. */
export function Checkboxes({ label, options }: { label: string; options: readonly Checkbox[] }) {
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{label}</legend>
      {options.map((option) => (
        <label key={option.name} className={styles.option}>
          <input type="checkbox" className={styles.mark} name={option.name} defaultChecked={option.defaultChecked} />
          <span className={styles.text}>
            <span className={styles.name}>{option.label}</span>
            {option.detail ? <span className={styles.detail}>{option.detail}</span> : null}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

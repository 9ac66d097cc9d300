import type { ComponentPropsWithoutRef } from "react";
import * as styles from "./choice.css";
import { FieldFoot, type FieldWords, useFieldIds } from "./field";

export type CheckboxProps = FieldWords & Omit<ComponentPropsWithoutRef<"input">, "type">;

export function Checkbox({ label, hint, error, id: given, ...input }: CheckboxProps) {
  const { id, control } = useFieldIds({ hint, error }, given);
  return (
    <div className={styles.group}>
      <label className={styles.plain} htmlFor={id}>
        <input {...input} {...control} type="checkbox" className={styles.mark} />
        <span className={styles.words}>{label}</span>
      </label>
      <FieldFoot id={id} hint={hint} error={error} />
    </div>
  );
}

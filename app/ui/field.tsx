import { type ReactNode, useId } from "react";
import * as styles from "./field.css";

export type FieldWords = {
  label: ReactNode;
  hint?: ReactNode;
  /** What is wrong and what to do, in words; takes the place of nothing, stands under the field. */
  error?: ReactNode;
};

/** The ids that tie a control to its label, its hint and its error. */
export function useFieldIds({ hint, error }: Pick<FieldWords, "hint" | "error">, given?: string) {
  const own = useId();
  const id = given ?? own;
  const described = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  return {
    id,
    control: { id, "aria-describedby": described || undefined, "aria-invalid": error ? true : undefined },
  };
}

export function FieldFrame({ id, label, hint, error, children }: FieldWords & { id: string; children: ReactNode }) {
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children}
      <FieldFoot id={id} hint={hint} error={error} />
    </div>
  );
}

export function FieldFoot({ id, hint, error }: { id: string } & Pick<FieldWords, "hint" | "error">) {
  return (
    <>
      {error ? (
        <p className={styles.error} id={`${id}-error`}>
          {error}
        </p>
      ) : null}
      {hint ? (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
    </>
  );
}

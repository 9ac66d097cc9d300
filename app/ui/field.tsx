import { type ComponentPropsWithoutRef, type ReactNode, useId } from "react";
import * as styles from "./field.css";

export type FieldText = {
  label: ReactNode;
  hint?: ReactNode;
  /** What is wrong and how to fix it, shown below the field. */
  error?: ReactNode;
};

/** The properties of a field's control that the field does not set itself. */
export type ControlProps<Tag extends "input" | "select" | "textarea"> = Omit<
  ComponentPropsWithoutRef<Tag>,
  "aria-describedby" | "aria-invalid"
>;

/** The ids and ARIA attributes that link a control to its label, hint and error. */
export function useFieldIds({ hint, error }: Pick<FieldText, "hint" | "error">, givenId?: string) {
  const generatedId = useId();
  const id = givenId ?? generatedId;
  const described = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  return {
    id,
    control: { id, "aria-describedby": described || undefined, "aria-invalid": error ? true : undefined },
  };
}

export function FieldFrame({ id, label, hint, error, children }: FieldText & { id: string; children: ReactNode }) {
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

export function FieldFoot({ id, hint, error }: { id: string } & Pick<FieldText, "hint" | "error">) {
  return (
    <>
      {error ? (
        <div className={styles.error} id={`${id}-error`}>
          {error}
        </div>
      ) : null}
      {hint ? (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
    </>
  );
}

import { forwardRef, type ReactNode } from "react";
import { classNames } from "./class-names";
import { type ControlProps, FieldFrame, type FieldText, useFieldIds } from "./field";
import * as styles from "./field.css";

export type TextFieldProps = FieldText &
  ControlProps<"input"> & {
    suffix?: ReactNode;
    /** Uses the monospace font, for addresses and codes. */
    code?: boolean;
  };

export const TextField = forwardRef<HTMLInputElement, TextFieldProps>(function TextField(props, ref) {
  const { label, hint, error, suffix, code, id: given, className, ...input } = props;
  const { id, control } = useFieldIds({ hint, error }, given);
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <div className={styles.box}>
        <input {...input} {...control} ref={ref} className={classNames(styles.input, code && styles.code, className)} />
        {suffix ? <span className={styles.affix}>{suffix}</span> : null}
      </div>
    </FieldFrame>
  );
});

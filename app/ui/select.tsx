import { type ControlProps, FieldFrame, type FieldText, useFieldIds } from "./field";
import * as styles from "./field.css";
import { Icon } from "./icon";

export type SelectProps = FieldText &
  Omit<ControlProps<"select">, "className"> & { options: readonly { value: string; label: string }[] };

/** A native select, styled as a field. */
export function Select({ label, hint, error, options, id: given, ...select }: SelectProps) {
  const { id, control } = useFieldIds({ hint, error }, given);
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <div className={styles.box}>
        <select {...select} {...control} className={styles.select}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon name="chevron" />
      </div>
    </FieldFrame>
  );
}

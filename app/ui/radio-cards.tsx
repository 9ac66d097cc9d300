import type { ReactNode } from "react";
import * as styles from "./choice.css";
import { FieldFoot, type FieldText, useFieldIds } from "./field";

export type RadioCard = { value: string; label: ReactNode; detail?: ReactNode };

export type RadioCardsProps = FieldText & {
  name: string;
  options: readonly RadioCard[];
  defaultValue?: string;
  required?: boolean;
  onValueChange?: (value: string) => void;
};

export function RadioCards({
  label,
  hint,
  error,
  name,
  options,
  defaultValue,
  required,
  onValueChange,
}: RadioCardsProps) {
  const { id, control } = useFieldIds({ hint, error });
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: HTML allows it, and ARIA has no other invalid group
    <fieldset {...control} role="radiogroup" className={styles.group}>
      <legend className={styles.legend}>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.option}>
          <input
            type="radio"
            className={styles.mark}
            name={name}
            value={option.value}
            defaultChecked={option.value === defaultValue}
            required={required}
            aria-describedby={error ? `${id}-error` : undefined}
            onChange={(event) => onValueChange?.(event.currentTarget.value)}
          />
          <span className={styles.text}>
            <span className={styles.name}>{option.label}</span>
            {option.detail ? <span className={styles.detail}>{option.detail}</span> : null}
          </span>
        </label>
      ))}
      <FieldFoot id={id} hint={hint} error={error} />
    </fieldset>
  );
}

import { type ComponentPropsWithoutRef, forwardRef, type ReactNode } from "react";
import * as styles from "./amount-field.css";
import { classNames } from "./class-names";
import { type FieldWords, useFieldIds } from "./field";
import * as fieldStyles from "./field.css";
import { fitAmount } from "./fit";
import { besideCoin, box } from "./fit.css";

export type AmountFieldProps = FieldWords &
  ComponentPropsWithoutRef<"input"> & {
    /** A coin and its symbol, at the right of the amount. */
    coin: ReactNode;
    /** At the right under the amount: limits, a helper, a link. */
    aside?: ReactNode;
  };

/** An amount, large: text with a decimal keypad, since `type=number` knows neither the visitor's comma nor a paste. */
export const AmountField = forwardRef<HTMLInputElement, AmountFieldProps>(function AmountField(props, ref) {
  const { label, hint, error, coin, aside, id: given, className, ...input } = props;
  const { id, control } = useFieldIds({ hint, error }, given);
  return (
    <div className={classNames(styles.leg, box, !input.readOnly && styles.editable)}>
      <label className={fieldStyles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.line}>
        <input
          inputMode="decimal"
          autoComplete="off"
          spellCheck={false}
          {...input}
          {...control}
          ref={ref}
          className={classNames(styles.input, fitAmount(String(input.value ?? ""), besideCoin), className)}
        />
        <span className={styles.coin}>{coin}</span>
      </div>
      {error ? (
        <p className={classNames(fieldStyles.error, styles.trouble)} id={`${id}-error`}>
          {error}
        </p>
      ) : null}
      {hint || aside ? (
        <div className={styles.foot}>
          <span id={`${id}-hint`}>{hint}</span>
          {aside}
        </div>
      ) : null}
    </div>
  );
});

/** The same shape for an amount that is read, not typed. */
export function AmountShown({
  label,
  amount,
  coin,
  hint,
  aside,
}: Omit<FieldWords, "error"> & {
  amount: string;
  coin: ReactNode;
  aside?: ReactNode;
}) {
  return (
    <div className={classNames(styles.leg, box)}>
      <div className={fieldStyles.label}>{label}</div>
      <div className={styles.line}>
        <output className={classNames(styles.input, fitAmount(amount, besideCoin))}>{amount}</output>
        <span className={styles.coin}>{coin}</span>
      </div>
      {hint || aside ? (
        <div className={styles.foot}>
          <span>{hint}</span>
          {aside}
        </div>
      ) : null}
    </div>
  );
}

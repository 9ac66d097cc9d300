import { forwardRef, type ReactNode } from "react";
import * as styles from "./amount-field.css";
import { classNames } from "./class-names";
import { type ControlProps, type FieldText, useFieldIds } from "./field";
import * as fieldStyles from "./field.css";
import { fitAmount } from "./fit";
import { box, withCoin } from "./fit.css";

export type AmountFieldProps = FieldText &
  ControlProps<"input"> & {
    /** The coin's icon and symbol, to the right of the amount. */
    coin: ReactNode;
    /** Beside the label on the right: limits or a link. */
    aside?: ReactNode;
  };

/** A large field for an amount. It is a text field, because `type=number` rejects decimal commas and pasted amounts. */
export const AmountField = forwardRef<HTMLInputElement, AmountFieldProps>(function AmountField(props, ref) {
  const { label, hint, error, coin, aside, id: given, className, ...input } = props;
  const { id, control } = useFieldIds({ hint, error }, given);
  return (
    <div className={classNames(styles.field, box, !input.readOnly && styles.editable)}>
      <div className={styles.top}>
        <label className={fieldStyles.label} htmlFor={id}>
          {label}
        </label>
        {aside}
      </div>
      <div className={styles.line}>
        <input
          inputMode="decimal"
          autoComplete="off"
          spellCheck={false}
          {...input}
          {...control}
          aria-describedby={`${id}-coin ${control["aria-describedby"] ?? ""}`}
          ref={ref}
          className={classNames(styles.input, fitAmount(String(input.value ?? ""), withCoin), className)}
        />
        <span className={styles.coin} id={`${id}-coin`}>
          {coin}
        </span>
      </div>
      {error ? (
        <p className={classNames(fieldStyles.error, styles.error)} id={`${id}-error`}>
          {error}
        </p>
      ) : null}
      {hint ? (
        <p className={styles.foot} id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
    </div>
  );
});

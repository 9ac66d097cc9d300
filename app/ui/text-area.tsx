import { forwardRef, type KeyboardEvent } from "react";
import { classNames } from "./class-names";
import { type ControlProps, FieldFrame, type FieldText, useFieldIds } from "./field";
import * as styles from "./field.css";

export type TextAreaProps = FieldText &
  Omit<ControlProps<"textarea">, "onKeyDown"> & {
    /** Uses the monospace font, for addresses and codes. */
    code?: boolean;
    /** For one long value, such as an address: Enter submits the form, as in a one-line field. */
    oneValue?: boolean;
  };

/** A field of several lines. It grows with its text where the browser supports that. */
export const TextArea = forwardRef<HTMLTextAreaElement, TextAreaProps>(function TextArea(props, ref) {
  const { label, hint, error, code, oneValue, id: given, className, ...area } = props;
  const { id, control } = useFieldIds({ hint, error }, given);
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <div className={styles.box}>
        <textarea
          {...area}
          {...control}
          ref={ref}
          onKeyDown={oneValue ? submitOnEnter : undefined}
          className={classNames(styles.area, code && styles.code, className)}
        />
      </div>
    </FieldFrame>
  );
});

function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
  event.preventDefault();
  if (event.repeat) return;
  // A click, because a pending button ignores it.
  event.currentTarget.form?.querySelector<HTMLButtonElement>("button:not([type=button])")?.click();
}

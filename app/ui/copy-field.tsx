import { type ReactNode, useId } from "react";
import * as styles from "./copy.css";
import { CopyButton } from "./copy-button";
import * as fieldStyles from "./field.css";
import { splitIntoGroups } from "./split-into-groups";

export type CopyFieldProps = {
  label: string;
  /** The exact text to copy. */
  value: string;
  /** The displayed text, if it differs: "250.00 USDT" for "250.00". */
  display?: ReactNode;
  /** Shows the value as code, in groups of this many characters. */
  groups?: number;
  /** The value is text of several lines, such as a URL. */
  isLong?: boolean;
  /** Describes the value in the button's accessible name, such as "the address". Defaults to the label. */
  what?: string;
};

export function CopyField({ label, value, display, groups, isLong, what }: CopyFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <span className={fieldStyles.label} id={id}>
        {label}
      </span>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls that are filled in */}
      <div className={styles.box} role="group" aria-labelledby={id}>
        {groups ? (
          <code className={styles.code} translate="no">
            {splitIntoGroups(value, groups).map((group, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the groups of one value never change places
              <span key={index} className={styles.group}>
                {group}
              </span>
            ))}
          </code>
        ) : (
          <span className={isLong ? styles.longText : styles.text} translate="no">
            {display ?? value}
          </span>
        )}
        <CopyButton value={value} what={what ?? label} />
      </div>
    </div>
  );
}

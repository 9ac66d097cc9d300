import { useId } from "react";
import * as styles from "./copy.css";
import { CopyButton } from "./copy-button";
import * as fieldStyles from "./field.css";

export type CopyFieldProps = {
  label: string;
  /** What is copied, exactly. */
  value: string;
  /** What is shown where it differs: "250.00 USDT" for "250.00". */
  shown?: string;
  /** Set as code, in groups of this many characters. */
  groups?: number;
  /** For the button's name, "the address"; by default the label. */
  what?: string;
};

/** "0x" counts to no group: it is read at once. */
function inGroups(value: string, size: number): string[] {
  const lead = value.startsWith("0x") ? "0x" : "";
  const [first = "", ...rest] = value.slice(lead.length).match(new RegExp(`.{1,${size}}`, "gsu")) ?? [];
  return [lead + first, ...rest];
}

export function CopyField({ label, value, shown, groups, what }: CopyFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <span className={fieldStyles.label} id={id}>
        {label}
      </span>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls that are filled in */}
      <div className={styles.box} role="group" aria-labelledby={id}>
        {groups ? (
          <code className={styles.code}>
            {inGroups(value, groups).map((group, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the groups of one value never change places
              <span key={at} className={styles.group}>
                {group}
              </span>
            ))}
          </code>
        ) : (
          <span className={styles.words}>{shown ?? value}</span>
        )}
        <CopyButton value={value} what={what ?? label} />
      </div>
    </div>
  );
}

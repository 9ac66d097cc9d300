import * as styles from "./addresses.css";

/** A whole address in groups of four, so that eyes can compare it; what is copied has no gaps. */
export function GroupedAddress({ address }: { address: string }) {
  const lead = address.startsWith("0x") ? "0x" : "";
  const [first = "", ...rest] = address.slice(lead.length).match(/.{1,4}/gsu) ?? [];
  return (
    <code className={styles.grouped}>
      {[lead + first, ...rest].map((group, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the groups of one address never change places
        <span key={at} className={styles.group}>
          {group}
        </span>
      ))}
    </code>
  );
}

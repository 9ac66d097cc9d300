import * as styles from "./addresses.css";

/** A full address in groups of four characters, to make it easier to compare. Copied text has no spaces. */
export function GroupedAddress({ address }: { address: string }) {
  const prefix = address.startsWith("0x") ? "0x" : "";
  const [first = "", ...rest] = address.slice(prefix.length).match(/.{1,4}/gsu) ?? [];
  return (
    <code className={styles.grouped}>
      {[prefix + first, ...rest].map((group, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the groups of one address never change places
        <span key={at} className={styles.group}>
          {group}
        </span>
      ))}
    </code>
  );
}

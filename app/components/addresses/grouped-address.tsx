import { splitIntoGroups } from "~/ui/split-into-groups";
import * as styles from "./addresses.css";

/** A full address in groups of four characters, to make it easier to compare. Copied text has no spaces. */
export function GroupedAddress({ address }: { address: string }) {
  return (
    <code className={styles.grouped} translate="no">
      {splitIntoGroups(address, 4).map((group, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the groups of one address never change places
        <span key={at} className={styles.group}>
          {group}
        </span>
      ))}
    </code>
  );
}

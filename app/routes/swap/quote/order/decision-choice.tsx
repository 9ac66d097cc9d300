import type { ReactNode } from "react";
import { GroupedAddress } from "~/components/addresses/grouped-address";
import { text } from "~/styles/text.css";
import { CountdownRing } from "~/ui/countdown-ring";
import { DataList, type DataRow } from "~/ui/data-list";
import { Disclosure } from "~/ui/disclosure";
import { Note } from "~/ui/note";
import * as styles from "./order.css";

type ChoiceProps = {
  title: string;
  rows: readonly DataRow[];
  addressName: string;
  address: string;
  note?: ReactNode;
  /** The button that makes this choice. */
  children: ReactNode;
};

/** A choice that cannot be undone: first its outcome, then its button. */
export function Choice({ title, rows, addressName, address, note, children }: ChoiceProps) {
  return (
    <section className={styles.choice} aria-label={title}>
      <h2 className={text.heading}>{title}</h2>
      <div>
        <DataList rows={rows} />
        <Disclosure
          summary={
            <span className={styles.receiver}>
              <span className={text.muted}>To</span> <span>{addressName}</span>
            </span>
          }
        >
          <GroupedAddress address={address} />
        </Disclosure>
      </div>
      {note}
      {children}
    </section>
  );
}

type TimeLeftProps = { leftMs: number; totalMs: number; children: string };

/** How long a price is valid, and what follows. */
export function TimeLeft({ leftMs, totalMs, children }: TimeLeftProps) {
  return (
    <Note tone={leftMs > 0 ? "good" : "waiting"} icon={<CountdownRing left={Math.max(0, leftMs)} total={totalMs} />}>
      <p>{children}</p>
    </Note>
  );
}

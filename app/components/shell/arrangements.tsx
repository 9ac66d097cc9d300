import type { ReactNode } from "react";
import * as styles from "./arrangements.css";

type HeroProps = {
  title: ReactNode;
  /** Where the card says what the page is, the words beside it are no heading. */
  titleAs?: "h1" | "p";
  lede?: ReactNode;
  /** Good to know, in a wide window: a few facts. */
  more?: ReactNode;
  /** The card. */
  children: ReactNode;
};

/** Words at the left, the card at the right; in the hand the title, then the card. */
export function Hero({ title, titleAs: Title = "h1", lede, more, children }: HeroProps) {
  return (
    <div className={styles.hero}>
      <div>
        <Title className={styles.heroTitle}>{title}</Title>
        {lede ? <p className={styles.lede}>{lede}</p> : null}
        {more ? <div className={styles.more}>{more}</div> : null}
      </div>
      {children}
    </div>
  );
}

/** Three short facts under a hero. */
export function Facts({ facts }: { facts: readonly { value: string; name: string }[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ value, name }) => (
        <div key={name} className={styles.fact}>
          <dt className={styles.factName}>{name}</dt>
          <dd className={styles.factValue}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type HeadedProps = { title?: ReactNode; lede?: ReactNode; children: ReactNode };

function Head({ title, lede }: Omit<HeadedProps, "children">) {
  if (!title) return null;
  return (
    <div className={styles.narrowHead}>
      <h1 className={styles.title}>{title}</h1>
      {lede ? <p>{lede}</p> : null}
    </div>
  );
}

/** One column in the middle: sign in, forms. The title may stand above the card or inside it. */
export function Narrow({ title, lede, children }: HeadedProps) {
  return (
    <div className={styles.narrow}>
      <Head title={title} lede={lede} />
      {children}
    </div>
  );
}

/** Two cards: what to do at the left, where things stand at the right. */
export function Wide({ children }: { children: ReactNode }) {
  return <div className={styles.wide}>{children}</div>;
}

/** A page of the full measure with its title: lists, the tally. */
export function Page({ title, lede, children }: HeadedProps) {
  return (
    <div className={styles.page}>
      <Head title={title} lede={lede} />
      {children}
    </div>
  );
}

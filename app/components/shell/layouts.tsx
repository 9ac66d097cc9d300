import type { ReactNode } from "react";
import * as styles from "./layouts.css";

type HeroProps = {
  title: ReactNode;
  /** "p" if the card holds the page's heading. */
  titleAs?: "h1" | "p";
  lede?: ReactNode;
  /** Extra content, shown only in wide windows. */
  more?: ReactNode;
  /** The card. */
  children: ReactNode;
};

/** Text on the left and a card on the right; on a phone the title, then the card. */
export function Hero({ title, titleAs: Title = "h1", lede, more, children }: HeroProps) {
  return (
    <div className={styles.hero}>
      <div className={styles.heroIntro}>
        <Title className={styles.heroTitle}>{title}</Title>
        {lede ? <p className={styles.lede}>{lede}</p> : null}
        {more ? <div className={styles.more}>{more}</div> : null}
      </div>
      {children}
    </div>
  );
}

/** A row of figures under a hero. */
export function KeyFigures({ figures }: { figures: readonly { value: string; name: string }[] }) {
  return (
    <dl className={styles.figures}>
      {figures.map(({ value, name }) => (
        <div key={name} className={styles.figure}>
          <dt className={styles.figureName}>{name}</dt>
          <dd className={styles.figureValue}>{value}</dd>
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

/** One centred column, for forms and messages. */
export function Narrow({ title, lede, children }: HeadedProps) {
  return (
    <div className={styles.narrow}>
      <Head title={title} lede={lede} />
      {children}
    </div>
  );
}

/** Two columns: the main card on the left, supporting information on the right. */
export function Wide({ children }: { children: ReactNode }) {
  return <div className={styles.wide}>{children}</div>;
}

/** A full-width page with a title, for lists and dashboards. */
export function Page({ title, lede, children }: HeadedProps) {
  return (
    <div className={styles.page}>
      <Head title={title} lede={lede} />
      {children}
    </div>
  );
}

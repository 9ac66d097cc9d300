import type { ReactNode } from "react";
import { paths } from "~/lib/paths";
import { text } from "~/styles/text.css";
import { ButtonLink } from "~/ui/button";
import { Card } from "~/ui/card";
import { Row } from "~/ui/layout";
import { PageKeys } from "./welcome-page";
import * as styles from "./welcome-page.css";

type Props = { title: string; lede: string; children: ReactNode; back: number };

/** A longer page of help, beside the nine steps and with a way back to one of them. */
export function HelpPage({ title, lede, children, back }: Props) {
  return (
    <article className={styles.long} data-welcome>
      <PageKeys />
      <Card roomy as="div">
        <div className={styles.steps}>
          <div className={styles.stepWords}>
            <h1 className={text.title}>{title}</h1>
            <p className={text.lede}>{lede}</p>
          </div>
          {children}
          <Row justify="between">
            <ButtonLink to={paths.welcomeStep(back)} rel="prev">
              Back to the steps
            </ButtonLink>
            <ButtonLink kind="primary" to={paths.welcomeStep(back + 1)} rel="next">
              Go on
            </ButtonLink>
          </Row>
        </div>
      </Card>
    </article>
  );
}

/** Words at the left, a drawing at the right; below each other in the hand. */
export function HelpStep({ title, children, drawing }: { title: string; children: ReactNode; drawing?: ReactNode }) {
  return (
    <section className={drawing ? styles.step : undefined}>
      <div className={styles.stepWords}>
        <h2 className={text.heading}>{title}</h2>
        <div className={styles.prose}>{children}</div>
      </div>
      {drawing}
    </section>
  );
}

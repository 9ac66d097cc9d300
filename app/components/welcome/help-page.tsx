import type { ReactNode } from "react";
import { paths } from "~/lib/paths";
import { text } from "~/styles/text.css";
import { ButtonLink } from "~/ui/button";
import { Card } from "~/ui/card";
import { Row } from "~/ui/layout";
import { PageKeys } from "./welcome-page";
import * as styles from "./welcome-page.css";

type Props = { title: string; lede: string; children: ReactNode; back: number };

/** A longer help page, linked from one of the nine steps. `back` is the number of that step. */
export function HelpPage({ title, lede, children, back }: Props) {
  return (
    <article className={styles.helpPage} data-welcome>
      <PageKeys />
      <Card roomy as="div">
        <div className={styles.steps}>
          <div className={styles.stepText}>
            <h1 className={text.title}>{title}</h1>
            <p className={text.lede}>{lede}</p>
          </div>
          {children}
          <Row justify="between">
            <ButtonLink to={paths.welcomeStep(back)} rel="prev">
              Back to the steps
            </ButtonLink>
            <ButtonLink kind="primary" to={paths.welcomeStep(back + 1)} rel="next">
              Continue
            </ButtonLink>
          </Row>
        </div>
      </Card>
    </article>
  );
}

type HelpStepProps = { title: string; children: ReactNode; illustration?: ReactNode };

/** Text on the left, an illustration on the right; stacked on a phone. */
export function HelpStep({ title, children, illustration }: HelpStepProps) {
  return (
    <section className={illustration ? styles.step : undefined}>
      <div className={styles.stepText}>
        <h2 className={text.heading}>{title}</h2>
        <div className={styles.prose}>{children}</div>
      </div>
      {illustration}
    </section>
  );
}

import { Link } from "@remix-run/react";
import { type ReactNode, useEffect } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import { paths } from "~/lib/paths";
import { text } from "~/styles/text.css";
import { ButtonLink } from "~/ui/button";
import { Card } from "~/ui/card";
import { VisuallyHidden } from "~/ui/visually-hidden";
import pageKeys from "./page-keys.js?url";
import { stepTitles } from "./steps";
import * as styles from "./welcome-page.css";

type Props = { step: number; title: string; drawing: ReactNode; children: ReactNode };

/** One step of nine: a drawing, a few words, and the way back and on. */
export function WelcomePage({ step, title, drawing, children }: Props) {
  const last = step === stepTitles.length;
  return (
    <div className={styles.page} data-welcome>
      <PageKeys />
      <div className={styles.progress}>
        <Progress step={step} />
        <Link className={styles.skip} to={paths.swap}>
          {last ? "Swap" : "Skip"}
          <VisuallyHidden>{last ? " now" : " the introduction"}</VisuallyHidden>
        </Link>
      </div>
      <Card roomy className={styles.card}>
        <div className={styles.drawing}>{drawing}</div>
        <div className={styles.words}>
          <p className={styles.eyebrow}>
            Step {step} of {stepTitles.length}
          </p>
          <h1 className={text.title}>{title}</h1>
          <div className={styles.prose}>{children}</div>
          <nav className={styles.turn} aria-label="Back and next">
            {step > 1 ? (
              <ButtonLink to={paths.welcomeStep(step - 1)} rel="prev">
                Back
              </ButtonLink>
            ) : (
              <span />
            )}
            {last ? (
              <ButtonLink kind="primary" to={paths.swap} rel="next">
                Make your first swap
              </ButtonLink>
            ) : (
              <ButtonLink kind="primary" to={paths.welcomeStep(step + 1)} rel="next">
                Next<VisuallyHidden>: {stepTitles[step]}</VisuallyHidden>
              </ButtonLink>
            )}
          </nav>
        </div>
      </Card>
    </div>
  );
}

function Progress({ step }: { step: number }) {
  return (
    <nav className={styles.bars} aria-label="Steps">
      {stepTitles.map((title, at) => (
        <span key={title} className={styles.barItem}>
          <Link
            className={styles.bar}
            to={paths.welcomeStep(at + 1)}
            aria-current={at + 1 === step ? "step" : undefined}
            data-state={at + 1 < step ? "done" : undefined}
          >
            <VisuallyHidden>
              Step {at + 1}: {title}
            </VisuallyHidden>
          </Link>
        </span>
      ))}
    </nav>
  );
}

/** The arrow keys: a small file of their own where the document ships no React, else the same lines imported. */
export function PageKeys() {
  const hydrated = useHydrated();
  useEffect(() => {
    void import("./page-keys.js");
  }, []);
  return hydrated ? null : <script src={pageKeys} type="module" />;
}

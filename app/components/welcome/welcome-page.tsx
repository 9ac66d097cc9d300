import { Link } from "@remix-run/react";
import { type ReactNode, useEffect } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import { paths } from "~/lib/paths";
import { text } from "~/styles/text.css";
import { ButtonLink } from "~/ui/button";
import { Card } from "~/ui/card";
import { VisuallyHidden } from "~/ui/visually-hidden";
import pageKeys from "./page-keys.js?url";
import * as styles from "./welcome-page.css";

type Props = {
  step: number;
  /** Of all steps. */
  titles: readonly string[];
  illustration: ReactNode;
  children: ReactNode;
};

/** One of the nine steps: an illustration, a short text, and Back and Next. */
export function WelcomePage({ step, titles, illustration, children }: Props) {
  const last = step === titles.length;
  return (
    <div className={styles.page} data-welcome>
      <PageKeys />
      <div className={styles.progress}>
        <Progress step={step} titles={titles} />
        <Link className={styles.skip} to={paths.swap}>
          {last ? "Swap" : "Skip"}
          <VisuallyHidden>{last ? " now" : " the introduction"}</VisuallyHidden>
        </Link>
      </div>
      <Card roomy className={styles.card}>
        <div className={styles.illustration}>{illustration}</div>
        <div className={styles.content}>
          <p className={styles.eyebrow}>
            Step {step} of {titles.length}
          </p>
          <h1 className={text.title}>{titles[step - 1]}</h1>
          <div className={styles.prose}>{children}</div>
          <nav className={styles.pager} aria-label="Back and next">
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
                Next<VisuallyHidden>: {titles[step]}</VisuallyHidden>
              </ButtonLink>
            )}
          </nav>
        </div>
      </Card>
    </div>
  );
}

function Progress({ step, titles }: Pick<Props, "step" | "titles">) {
  return (
    <nav className={styles.bars} aria-label="Steps">
      {titles.map((title, index) => (
        <span key={title} className={styles.barItem}>
          <Link
            className={styles.bar}
            to={paths.welcomeStep(index + 1)}
            aria-current={index + 1 === step ? "step" : undefined}
            data-state={index + 1 < step ? "done" : undefined}
          >
            <VisuallyHidden>
              Step {index + 1}: {title}
            </VisuallyHidden>
          </Link>
        </span>
      ))}
    </nav>
  );
}

/** Loads page-keys.js: as a script element in a document without React, otherwise as a module. */
export function PageKeys() {
  const hydrated = useHydrated();
  useEffect(() => {
    void import("./page-keys.js");
  }, []);
  return hydrated ? null : <script src={pageKeys} type="module" />;
}

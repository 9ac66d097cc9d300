import type { ReactNode } from "react";
import { classNames } from "./class-names";
import { Icon } from "./icon";
import { PlainList } from "./plain-list";
import * as styles from "./timeline.css";
import { VisuallyHidden } from "./visually-hidden";

export type TimelineStep = {
  key: string;
  state: "done" | "current" | "todo" | "problem";
  title: ReactNode;
  detail?: ReactNode;
};

const statePrefixes = { done: "Done: ", current: "Now: ", todo: "Next: ", problem: "Problem: " };

/** The completed, current and upcoming steps of a process. */
export function Timeline({ steps, label }: { steps: readonly TimelineStep[]; label: string }) {
  return (
    <PlainList ordered className={styles.steps} aria-label={label}>
      {steps.map(({ key, state, title, detail }) => (
        <li
          key={key}
          className={classNames(styles.step, state === "done" && styles.completed)}
          aria-current={state === "current" ? "step" : undefined}
        >
          <span className={classNames(styles.dot, styles.dots[state])}>
            {state === "done" ? <Icon name="tick" /> : null}
            {state === "problem" ? <Icon name="cross" /> : null}
          </span>
          <span className={classNames(styles.title, state === "todo" && styles.upcoming)}>
            <VisuallyHidden>{statePrefixes[state]}</VisuallyHidden>
            {title}
          </span>
          {detail ? <div className={styles.detail}>{detail}</div> : null}
        </li>
      ))}
    </PlainList>
  );
}
